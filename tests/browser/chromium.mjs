// Chromium, driven by playwright-core: without a window, in a new profile that goes with it, quiet on the network.
import { createRequire } from 'node:module';
const require = createRequire(process.cwd() + '/');
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
export const launch = () => require('playwright-core').chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: QUIET });
