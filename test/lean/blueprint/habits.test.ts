import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphDot } from '../../../src/lean/blueprint/graph.ts';
import { readBlueprint } from '../../../src/lean/blueprint/read.ts';
import { stateBlueprint, type StatedBlueprint } from '../../../src/lean/blueprint/states.ts';
import { writeSample } from './sample.ts';

/** Patterns of real sources, with the results of plasTeX and leanblueprint (each was run through them once). */
let folder: string;
let stated: StatedBlueprint;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-blueprint-'));
  stated = stateBlueprint(readBlueprint(writeSample(folder, sources)));
});

afterAll(() => rmSync(folder, { recursive: true }));

const ids = () => stated.blueprint.statements.map(({ id }) => id);

function node(id: string) {
  const found = stated.blueprint.statements.find((statement) => statement.id === id);
  if (!found) throw new Error(`no node ${id} among ${ids().join(', ')}`);
  return { ...found, ...stated.states.get(found) };
}

test('only real statements become nodes, not conditions, comments, verbatim text or definitions', () => {
  expect(ids()).toEqual([
    'lem:preface',
    'def:a',
    'def:b',
    'numbers.tex:13',
    'numbers.tex:23',
    'eq:disp',
    'numbers.tex:34',
    'thm:else',
    'thm:web',
    'thm:draft',
    'lem:in-item',
    'thm:two',
    'thm:center',
    'lem:dup',
    'lem:dup',
    'thm:late',
  ]);
});

test('lists over several lines, with comments; titles with brackets', () => {
  expect(node('def:a')).toMatchObject({
    title: String.raw`A \emph{nice} {[nested]} one`,
    declarations: ['Foo.bar', 'Foo.baz'],
    uses: ['def:b', 'lem:preface'],
  });
});

describe('a label refers to the last numbered item', () => {
  test('a formula or an item, even after its end', () => {
    expect(stated.blueprint.labels.get('lem:after-eq')).toEqual({ kind: 'other', insideOf: 'lem' });
    expect(stated.blueprint.labels.get('lem:after-items')).toEqual({ kind: 'other', insideOf: 'lem' });
  });

  test('the statement, inside a formula without a number', () => {
    expect(node('eq:disp').labels).toEqual(['thm:star', 'eq:star', 'eq:disp']);
  });

  test('not to a statement without a number', () => {
    expect(node('numbers.tex:34')).toMatchObject({ kind: 'conj', labels: [], stated: true, not_ready: true });
    expect(stated.blueprint.labels.get('conj:1')).toMatchObject({ statement: { kind: 'remark' } });
  });
});

describe('proofs', () => {
  test('at a distance: the last one counts', () => {
    expect(node('thm:late').proof?.uses).toEqual(['lem:preface']);
  });

  test('named, after another statement', () => expect(node('eq:disp').proved).toBe(true));

  test('an empty proof does not count', () => expect(node('thm:draft')).toMatchObject({ can_prove: false }));

  test('not across a section, not into a box, and not for other labels of \\\\proves', () => {
    expect(node('thm:two').proof).toBeNull();
    expect(node('thm:center').proof).toBeNull();
    expect(node('lem:dup').proof).toBeNull();
  });

  test('inside an item', () => expect(node('lem:in-item').proved).toBe(true));
});

test('one graph per section; statements outside are not nodes; colours of the project', async () => {
  const web = String.raw`\usepackage[dep_by=section, thms={definition+lemma}]{blueprint}
\graphcolor{stated}{red}{Red}
\begin{lemma}\label{a}\leanok\end{lemma}
\section{A}\begin{lemma}\label{b}\leanok\uses{c}\end{lemma}\begin{proof}\leanok\end{proof}
\subsection{AA}\begin{lemma}\label{c}\leanok\end{lemma}\begin{proof}\leanok\end{proof}
\section{B}\begin{definition}\label{d}\end{definition}`;
  const bySection = stateBlueprint(
    readBlueprint(writeSample(path.join(folder, 'by-section'), { 'web.tex': web })),
  );
  expect(bySection.graphs.map((nodes) => nodes.map(({ id }) => id))).toEqual([['b', 'c'], ['d']]);
  expect(bySection.blueprint.chapters).toEqual(['A', 'B']);
  const dot = await graphDot(bySection);
  expect(dot).toMatch(/^\s*b\s*\[[^\]]*color=red/m);
  expect(dot).toMatch(/^\s*d\s*\[[^\]]*fillcolor="#A3D6FF"/m);
});

const sources = {
  'web.tex': String.raw`\documentclass{report}
\usepackage[showmore, dep_graph, thms=definition+lem+theorem+conj]{blueprint}
\newtheorem{theorem}{Theorem}[chapter]
\newtheorem{lem}[theorem]{Lemma}
\newtheorem*{conj}{Conjecture}
\newtheorem{remark}[theorem]{Remark}
\newcommand{\foo}[1]{\begin{lem}\label{foo:#1} bar \leanok\end{lem}}
\def\bar#1{\label{bar:#1}}
\newif\ifdraft
\drafttrue
\begin{document}
\chapter*{Preface}
\begin{lem}\label{lem:preface} hi \end{lem}
\include{chapter/numbers}
\input chapter/sums
\end{document}
`,
  'chapter/numbers.tex': String.raw`\chapter{One}\label{chap:one}
\begin{definition}[A \emph{nice} {[nested]} one] \label{def:a}
\lean{
  Foo.bar,  % a comment, with commas
  Foo.baz
}
\leanok Text \uses{
  def:b , % def:c,
  lem:preface
}
\end{definition}
Words before \begin{definition}\label{def:b}\leanok in a line. \end{definition}
\begin{lem}
  \begin{equation}\label{eq:1} a \end{equation}
  \label{lem:after-eq}
  \leanok
  \lean{x.y}
\end{lem}
\begin{proof}
\leanok
\uses{def:a}
\end{proof}
\begin{lem}\begin{itemize}\item one \item two \label{it:2}\end{itemize}\label{lem:after-items}
\end{lem}
\begin{proof}\uses{it:2, lem:after-items} \end{proof}
\begin{theorem}\label{thm:star}
  \begin{equation*}\label{eq:star} a \end{equation*}
  \[ \label{eq:disp} b \]
  \uses{eq:1}
\end{theorem}
\begin{remark}\label{rem:1} nothing \end{remark}
\begin{proof}[Proof of the remark]\leanok \uses{rem:1} \end{proof}

\begin{conj}\label{conj:1}\leanok\notready words \end{conj}
\begin{proof}\proves{thm:star}\leanok \end{proof}
\iffalse
\begin{theorem}\label{thm:hidden} $a \iff b$ \ifplastex \iff \fi \end{theorem}
\else
\begin{theorem}\label{thm:else} \mathlibok \lean{Nat.add_comm}\end{theorem}
\fi
\ifplastex
\begin{theorem}\label{thm:web} \discussion{#12}\end{theorem}
\else
\begin{theorem}\label{thm:print} \end{theorem}
\fi
\ifdraft
\begin {theorem}
 \label {thm:draft} \uses{thm:web}\uses {thm:else}\end {theorem}
\begin{proof} % nothing

\end{proof}
\fi
\begin{comment}
\begin{theorem}\label{thm:comment} \end{theorem}
\end{comment}
\begin{verbatim}
\begin{theorem}\label{thm:verbatim} \end{theorem}
\end{verbatim}
\begin{itemize}
\item \begin{lem}\label{lem:in-item}\leanok in an item\end{lem}
\begin{proof}\leanok in it\end{proof}
\end{itemize}
`,
  'chapter/sums.tex': String.raw`\section*{Two}
\begin{theorem}[Title]\label{thm:two}\leanok \uses{chap:one,thm:draft, nowhere}\end{theorem}
\subsection{Proof}
\begin{proof}\leanok\end{proof}
\begin{center}\begin{theorem}\label{thm:center}\leanok in center\end{theorem}\end{center}
\begin{proof}\leanok\end{proof}
\begin{lem}\label{lem:dup}\leanok\end{lem}
\begin{lem}\label{lem:dup}\end{lem}
\begin{proof}\proves{eq:1}\leanok\end{proof}
\begin{theorem}
\label{thm:late}
Text

\leanok
\uses{lem:dup}

{\uses{def:a}}
\end{theorem}

text in between

\begin{figure}\caption{x}\label{fig:1}\end{figure}

\begin{proof} \uses{def:a} \leanok \end{proof}
\begin{proof}[Second] \uses{lem:preface} another \end{proof}
\endinput
\begin{theorem}\label{thm:endinput}\end{theorem}
`,
};
