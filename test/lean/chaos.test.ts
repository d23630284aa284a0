import { describeChaos } from '../helpers/chaos-suite.ts';

describeChaos(100, 20_260_115);
