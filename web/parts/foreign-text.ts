import { options, type VNode } from 'preact';
import { harmless } from '../../src/shared/for-people.ts';

const shownProperties = ['title', 'aria-label', 'alt', 'placeholder'];

/** Everything that the page shows goes through here once: names and messages are foreign text, wherever they stand. */
export function escapeForeignText(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (vnode: VNode) => {
    const props = vnode.props as Record<string, unknown>;
    props['children'] = escaped(props['children']);
    for (const key of shownProperties) if (key in props) props[key] = escaped(props[key]);
    before?.(vnode);
  };
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value);
  return Array.isArray(value) ? value.map(escaped) : value;
}
