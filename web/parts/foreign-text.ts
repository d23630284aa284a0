import { harmless } from '../../src/shared/for-people.ts';

const shownProperties = ['title', 'aria-label', 'alt', 'placeholder'];

/** An element before Preact renders it. A piece of text is an element whose properties are the text. */
interface Rendered {
  props: object | string;
}

/** Escapes every text shown on the dashboard: names and messages are untrusted. */
export function escapeForeignText(hooks: { vnode?: (element: never) => void }): void {
  const before = hooks.vnode?.bind(hooks) as ((element: Rendered) => void) | undefined;
  hooks.vnode = (element: Rendered) => {
    if (typeof element.props === 'string') element.props = harmless(element.props);
    else {
      const props = element.props as Record<string, unknown>;
      for (const key of shownProperties) {
        const value = props[key];
        if (typeof value === 'string') props[key] = harmless(value);
      }
    }
    before?.(element);
  };
}
