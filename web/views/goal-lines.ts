import { useEffect, useRef } from 'preact/hooks';
import type { GoalGroup } from '../../src/shared/api.ts';
import { isTyping, type RowFocus } from '../parts/virtual-list.ts';

/** Maps each line of the list to a group heading or a goal. */
export class Lines {
  readonly length: number;
  readonly #groups: readonly { readonly line: number; readonly goal: number; readonly group: GoalGroup }[];

  constructor(groups: readonly GoalGroup[], goals: number) {
    let goal = 0;
    this.#groups = groups.map((group, index) => {
      const start = { line: goal + index, goal, group };
      goal += group.total;
      return start;
    });
    this.length = goals + groups.length;
  }

  at(line: number): { readonly group: GoalGroup } | { readonly goal: number } {
    const last = this.#before(line);
    if (last?.line === line) return { group: last.group };
    return { goal: this.goalAt(line) };
  }

  /** The goal at this position, or the next one. */
  goalAt(line: number): number {
    const last = this.#before(line);
    return last === undefined ? line : last.goal + Math.max(0, line - last.line - 1);
  }

  #before(line: number) {
    return this.#groups.findLast((group) => group.line <= line);
  }
}

/**
 * `/` focuses the search; `j`, `k` and the arrow keys move between rows; Home and End go to the ends. Enter follows
 * the link without our help.
 */
export function useKeys(
  search: { readonly current: HTMLInputElement | null },
  focus: RowFocus,
  lines: Lines,
): void {
  const current = useRef({ focus, lines });
  current.current = { focus, lines };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const isSearch = event.target === search.current;
      if (isTyping(event) && !(isSearch && (event.key === 'ArrowDown' || event.key === 'Escape'))) return;
      if (isSearch && event.key === 'Escape') return search.current?.blur();
      const target = targetOf(event.key, current.current.focus.index(), current.current.lines);
      if (event.key === '/') search.current?.focus();
      else if (target === null) return;
      else current.current.focus.move(target);
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

/** The next line with a goal, in the direction of the key. */
function targetOf(key: string, index: number, lines: Lines): number | null {
  const last = lines.length - 1;
  if (last < 0) return null;
  const goalFrom = (line: number, step: 1 | -1): number | null => {
    for (let each = line; each >= 0 && each <= last; each += step) if ('goal' in lines.at(each)) return each;
    return null;
  };
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return goalFrom(Math.min(last, index + 1), 1);
    case 'k':
    case 'ArrowUp':
      return index < 0 ? null : (goalFrom(Math.max(0, index - 1), -1) ?? index);
    case 'Home':
      return index < 0 ? null : goalFrom(0, 1);
    case 'End':
      return index < 0 ? null : goalFrom(last, -1);
    default:
      return null;
  }
}
