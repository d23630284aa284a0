import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A small blueprint of two chapters with the features and some mistakes of real ones. */
export function writeSample(folder: string, changes: Readonly<Record<string, string>> = {}): string {
  const source = path.join(folder, 'blueprint', 'src');
  mkdirSync(path.join(source, 'chapter'), { recursive: true });
  const files = { ...sample, ...changes };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(source, name), text);
  return folder;
}

const sample: Readonly<Record<string, string>> = {
  'web.tex': String.raw`\documentclass{report}
\usepackage[showmore, dep_graph]{blueprint}
\newtheorem{theorem}{Theorem}
\newtheorem*{remark}{Remark}
\begin{document}
\input{chapter/numbers}
\input{chapter/sums.tex}
% \input{chapter/nowhere}
\end{document}
`,
  'chapter/numbers.tex': String.raw`\chapter{Numbers}
\begin{definition}[Even]\label{def:even}
  \lean{Nat.IsEven} \leanok
  A number is \emph{even} if it is twice another. % \notready
\end{definition}
\begin{lemma}[Double]\label{lem:double}\uses{def:even}\lean{double_even, double_even'}\leanok
  \begin{enumerate}
    \item \label{item:first} $2n$ is even.
  \end{enumerate}
\end{lemma}
Some words between a statement and its proof.
\begin{proof}\leanok \uses{def:even} Clear. \end{proof}
\begin{remark}\label{rem:odd} Odd numbers are not even. \end{remark}
\begin{proof} This one proves the remark. \end{proof}
`,
  'chapter/sums.tex': String.raw`\chapter{Sums}
\begin{proposition}\label{prop:sum}
  \uses{lem:double}
  \uses{def:even, lem:double}
  The sum of two even numbers is even.
\end{proposition}
\section{Later}
\begin{proof}\proves{prop:sum}\uses{lem:double,
  thm:main}
  By hand.
\end{proof}
\begin{theorem}\label{thm:main}\uses{prop:sum, rem:odd}\notready
  \begin{equation}\label{eq:main} a + b = c \end{equation}
  {\leanok}
\end{theorem}
\iffalse
\begin{lemma}\label{lem:hidden} Nobody sees this. \end{lemma}
\fi
\begin{corollary}\mathlibok Without a label. \end{corollary}
\begin{lemma}\label{lem:next}\uses{def:even, eq:main, lem:nowhere} More. \end{lemma}
\begin{proof}\uses{def:even}\end{proof}
`,
};
