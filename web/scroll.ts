/**
 * A link leads to the top of a view; the back button leads to where the reader was in it. The browser cannot do that by
 * itself: when it tries, the view is not there yet.
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

/** A view replaced its own address: the position belongs to the new one. */
export function sameView(): void {
  here = location.hash;
}

const pathOf = (hash: string): string => hash.split('?', 1)[0] ?? '';
