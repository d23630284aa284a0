import { describeChaos } from '../helpers/chaos-suite.ts';

describeChaos(10_000, 4711);
