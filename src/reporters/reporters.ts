import { githubReporter } from './github.ts';
import { jsonReporter } from './json.ts';
import { liveReporter } from './live/live.ts';
import { plainReporter } from './plain.ts';
import type { ReporterFacts, Reporter, ReporterName, Streams } from './reporter.ts';

/** The requested reporter; default: live on a terminal, else plain. Live needs a terminal. */
export function reporterFor(
  name: ReporterName | undefined,
  streams: Streams,
  facts: ReporterFacts,
): Reporter {
  const isWatched = streams.stderr.isTTY === true && facts.environment['TERM'] !== 'dumb';
  switch (name ?? 'live') {
    case 'live':
      return isWatched ? liveReporter(streams, facts) : plainReporter(streams, facts);
    case 'plain':
      return plainReporter(streams, facts);
    case 'json':
      return jsonReporter(streams);
    case 'github':
      return githubReporter(streams, facts);
  }
}
