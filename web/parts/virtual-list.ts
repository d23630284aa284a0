import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows rendered above and below the screen, so that fast scrolling shows no gap. */
const margin = 8;

/** The rows of a long list that are visible. The page itself scrolls; the list only sets its total height. */
export function useVisibleRows(
  total: number,
  rowHeight: number,
): { readonly holder: { current: HTMLDivElement | null }; readonly first: number; readonly last: number } {
  const holder = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 40 });
  const look = (): void => {
    const above = -(holder.current?.getBoundingClientRect().top ?? 0);
    const first = Math.max(0, Math.floor(above / rowHeight) - margin);
    const last = Math.ceil((above + innerHeight) / rowHeight) + margin;
    setRange((old) => (old.first === first && old.last === last ? old : { first, last }));
  };
  useEffect(() => {
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [rowHeight]);
  useLayoutEffect(look, [total, rowHeight]);
  return { holder, first: Math.min(range.first, total), last: Math.min(range.last, total) };
}

export interface RowFocus {
  /** The row that has the focus, or gets it once it is rendered; -1: none. */
  readonly index: () => number;
  readonly move: (index: number) => void;
}

/** Moves the focus to a row that may not be rendered yet: scroll first, then focus. */
export function useRowFocus(
  holder: { readonly current: HTMLDivElement | null },
  rowHeight: number,
): RowFocus {
  const target = useRef<number | null>(null);
  const [, again] = useState(0);
  const settle = (): void => {
    if (target.current === null) return;
    const row = holder.current?.querySelector<HTMLElement>(`[data-index="${target.current}"]`);
    if (!row) return;
    target.current = null;
    row.focus({ preventScroll: true });
  };
  useEffect(settle);
  return {
    index: () => target.current ?? focusedIndex(),
    move(index) {
      const list = holder.current?.getBoundingClientRect();
      if (!list) return;
      target.current = index;
      const top = list.top + index * rowHeight;
      const head = 48; // the header row sticks to the top
      if (top < head) scrollBy({ top: top - head });
      else if (top + rowHeight > innerHeight) scrollBy({ top: top + rowHeight - innerHeight + 8 });
      settle();
      again((version) => version + 1);
    },
  };
}

function focusedIndex(): number {
  const index = (document.activeElement as HTMLElement | null)?.dataset['index'];
  return index === undefined ? -1 : Number(index);
}

export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey;
}
