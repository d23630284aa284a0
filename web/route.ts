import { useEffect, useState } from 'preact/hooks';
import { sameView } from './scroll.ts';

/**
 * Every view has a URL, in the part after `#` (`#/goals?status=unsolved&q=list`). A report opened from a file has no
 * server for other paths, and it uses the same URLs.
 */
export interface Route {
  /** Decoded path segments, without empty ones: `['goals', 'my goal']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** Adds the id of the shown run unless another run is named, so that a link shows the same figures later. */
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

/** Changes the query of the current view without a history entry: typing is not navigation. */
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
    return part; // an invalid % in the URL
  }
}
