import type { JSX } from 'preact';
import { Card, Empty } from '../parts/blocks.tsx';
import { Heading } from './heading.tsx';

/** A seat: it fills when goals come from a blueprint. */
export function CoverageView(): JSX.Element {
  return (
    <>
      <Heading title="Coverage">How much of a blueprint is proved</Heading>
      <Card>
        <Empty title="No blueprint">
          None of the runs in this ledger reads its goals from a blueprint, so there is nothing to draw here.
        </Empty>
      </Card>
    </>
  );
}
