declare module 'parse-prometheus-text-format' {
  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>;
      readonly value?: string;
      readonly count?: string;
      readonly sum?: string;
      readonly buckets?: Readonly<Record<string, string>>;
    }[];
  }
  /** Throws at whatever Prometheus could not read. */
  export default function parsePrometheusTextFormat(text: string): Family[];
}
