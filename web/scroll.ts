/**
 * Links open a view at its top; the back button restores the scroll position. The browser cannot do that by itself,
 * because the view is not rendered yet when it tries.
 */
const positions = new Map<string, number>();
let here = '';
let isLink = false;

export function rememberScroll(): void {
  history.scrollRestoration = 'manual';
  here = location.hash;
  addEventListener('scroll', () => positions.set(here, scrollY), { passive: true });
  addEventListener('click', () => (isLink = true), { capture: true });
  addEventListener('popstate', () => {
    if (pathOf(location.hash) === pathOf(here)) {
      here = location.hash; // another filter of the same view
      return;
    }
    const target = isLink ? 0 : (positions.get(location.hash) ?? 0);
    here = location.hash;
    // after the view has been rendered, which happens after this event
    requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, target)));
  });
  addEventListener('hashchange', () => (isLink = false));
}

/** A view changed its own URL: the scroll position now belongs to the new one. */
export function sameView(): void {
  here = location.hash;
}

const pathOf = (hash: string): string => hash.split('?', 1)[0] ?? '';
