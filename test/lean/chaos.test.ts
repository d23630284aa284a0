import { describeChaos } from '../helpers/chaos-suite.ts';

describeChaos(200, 20_260_115);
