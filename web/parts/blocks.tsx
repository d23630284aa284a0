import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Answer } from '../data/context.ts';
import { meaningOf } from '../data/words.ts';
import { LeanText } from './lean-code.tsx';

export function Card({
  title,
  note,
  class: name = '',
  children,
}: {
  title?: ComponentChildren;
  note?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section class={`card ${name}`}>
      {title === undefined && note === undefined ? null : (
        <header>
          {title === undefined ? null : <h2>{title}</h2>}
          {note === undefined ? null : <span class="note">{note}</span>}
        </header>
      )}
      {children}
    </section>
  );
}

export interface FigureProps {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly of?: ComponentChildren;
  readonly note?: ComponentChildren;
  /** Glossary term of the counted thing. */
  readonly word?: string;
}

export function Figures({ figures }: { figures: readonly FigureProps[] }): JSX.Element {
  return (
    <dl class="figures">
      {figures.map(({ name, value, of, note, word }) => (
        <div class="figure" key={name}>
          <dt>{word === undefined ? name : <Hint word={word}>{name}</Hint>}</dt>
          <dd>
            {value}
            {of === undefined ? null : <small> {of}</small>}
          </dd>
          {note === undefined ? null : <dd>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A term with its glossary definition. */
function Hint({ word, children }: { word: string; children: ComponentChildren }): JSX.Element {
  const meaning = meaningOf(word);
  return meaning === undefined ? <>{children}</> : <abbr title={meaning}>{children}</abbr>;
}

export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
    </dl>
  );
}

export function Code({
  text,
  tone = '',
  copy = false,
  lean = false,
  label,
}: {
  text: string;
  tone?: '' | 'good' | 'bad';
  copy?: boolean;
  /** Whether to highlight it as Lean. */
  lean?: boolean;
  label: string;
}): JSX.Element {
  return (
    <div class={`code ${tone}`}>
      {/* it may scroll, so it must be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={label}>
        {lean ? <LeanText text={text} /> : text}
      </pre>
      {copy ? <Copy text={text} what={label} /> : null}
    </div>
  );
}

function Copy({ text, what }: { text: string; what: string }): JSX.Element {
  const { said, copy } = useCopy(text);
  return (
    <button class="button copy" type="button" aria-label={`Copy ${what}`} onClick={copy}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </button>
  );
}

export function CopyButton({ text, what }: { text: string; what: string }): JSX.Element {
  const { said, copy } = useCopy(text);
  return (
    <button class="button" type="button" onClick={copy}>
      <span aria-live="polite">{said ?? `Copy ${what}`}</span>
    </button>
  );
}

/** Copies text, and briefly shows whether that worked. */
function useCopy(text: string): { readonly said: string | null; readonly copy: () => void } {
  const [said, setSaid] = useState<string | null>(null);
  const timer = useRef(0);
  const copy = async (): Promise<void> => {
    setSaid((await copied(text)) ? 'Copied' : 'Select and copy');
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setSaid(null), 1600);
  };
  return { said, copy: () => void copy() };
}

/** Browsers allow clipboard access only on trusted pages: on loopback, but not on every report opened from a file. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <svg
        width="44"
        height="28"
        viewBox="0 0 44 28"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        aria-hidden="true"
      >
        <rect x="1" y="1" width="42" height="26" rx="6" stroke-dasharray="3 4" />
        <path d="M16 14h12" stroke-linecap="round" />
      </svg>
      <b>{title}</b>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  );
}

/** Renders a query's answer in each state: loading, failed or loaded. */
export function Shown<Value>({
  answer,
  children,
}: {
  answer: Answer<Value>;
  children: (value: Value) => ComponentChildren;
}): JSX.Element {
  switch (answer.kind) {
    case 'waiting':
      return <div class="empty" aria-busy="true" />;
    case 'refused':
      return (
        <div role="alert">
          <Empty title="Could not load">{answer.why}</Empty>
        </div>
      );
    case 'here':
      return <>{children(answer.value)}</>;
  }
}
