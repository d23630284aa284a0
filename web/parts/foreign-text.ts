import { harmless } from '../../src/shared/for-people.ts';

const shownProperties = ['title', 'aria-label', 'alt', 'placeholder'];

/** The hook of Preact's `options` that sees every element before it is rendered. */
interface Hooks<Element extends { props: object }> {
  vnode?: (element: Element) => void;
}

/** Everything that the dashboard shows passes here once: names and messages are foreign text. */
export function escapeForeignText<Element extends { props: object }>(hooks: Hooks<Element>): void {
  const before = hooks.vnode?.bind(hooks);
  hooks.vnode = (element) => {
    const props = element.props as Record<string, unknown>;
    props['children'] = escaped(props['children']);
    for (const key of shownProperties) if (key in props) props[key] = escaped(props[key]);
    before?.(element);
  };
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value);
  return Array.isArray(value) ? value.map(escaped) : value;
}
