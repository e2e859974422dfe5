/** Sets for the nodes that tests start within their own process what `programEnvironment` sets for programs. */

import { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM } from '../src/node/index.ts';

Object.assign(DEFAULT_CONFIGURATION, { ethereum: DEFAULT_ETHEREUM });
