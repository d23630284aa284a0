import { useEffect, useState } from 'preact/hooks';
import { sameView } from './scroll.ts';

/**
 * Every view is a URL. The part after `#` names it (`#/goals?status=unsolved&q=list`): a report opened from a file has no
 * server that could answer other paths, and both shall have the same addresses.
 */
export interface Route {
  /** Decoded, without empty ones: `['goals', 'my goal']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** With the run that is looked at, unless another is named: a link leads to the same figures tomorrow. */
export function href(path: readonly string[], query: Readonly<Record<string, string | null>> = {}): string {
  const run = parseRoute(location.hash).query.get('run');
  const search = new URLSearchParams(
    Object.entries({ run, ...query }).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
  const tail = search.size > 0 ? `?${search.toString()}` : '';
  return `#/${path.map(encodeURIComponent).join('/')}${tail}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

/** Changes the query of the view that is open, without an entry in the history: typing is not navigating. */
export function replaceQuery(route: Route, changes: Readonly<Record<string, string | null>>): void {
  const query = { ...Object.fromEntries(route.query), ...changes };
  history.replaceState(null, '', href(route.path, query));
  sameView();
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray % that someone typed
  }
}
