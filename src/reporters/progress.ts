import type { WriteStream } from 'node:tty';

/** Progress of a long set-up. */
interface ProgressNote {
  readonly step: string;
  readonly text: string;
  readonly fraction: number;
  /** Remaining seconds, if known better than from the elapsed time. */
  readonly secondsLeft?: number;
}

export interface ProgressReporter {
  readonly update: (note: ProgressNote) => void;
  readonly done: () => void;
}

const barWidth = 32;

/** On a terminal one line with a bar, repainted; elsewhere one plain line for each new step. Silent if nothing happens. */
export function setupProgress(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  title = 'Setting up Lean',
): ProgressReporter {
  let shown = '';
  let begun: number | undefined;
  return {
    update({ text, fraction, secondsLeft }) {
      begun ??= performance.now();
      const left = secondsLeft ?? estimate(fraction, (performance.now() - begun) / 1000);
      const time = left === undefined ? '' : `, about ${Math.ceil(left)} s left`;
      if (stream.isTTY) {
        const filled = Math.round(fraction * barWidth);
        const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
        stream.write(
          `\r\u001B[2K${title}  ${bar} ${String(Math.round(fraction * 100)).padStart(3)} %  ${text}${time}`,
        );
        shown = text;
      } else if (text !== shown) {
        stream.write(`orch: ${title.replace(/^./, (letter) => letter.toLowerCase())}: ${text}\n`);
        shown = text;
      }
    },
    done() {
      if (stream.isTTY && shown !== '') stream.write('\r\u001B[2K');
      shown = '';
      begun = undefined;
    },
  };
}

/** Estimated from the elapsed time, once there is enough of it. */
function estimate(fraction: number, seconds: number): number | undefined {
  return seconds < 2 || fraction < 0.05 ? undefined : (seconds * (1 - fraction)) / fraction;
}
