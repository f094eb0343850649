// Rondo without a reader: exec alone.
import { makeOpen } from '../lib/rondo.mjs';
export const meta = { name: 'rondo-quiet', peer: 'rondo', lib: '../../../dist/index.js', version: 'this checkout', roots: [], providerRoots: [], sequential: true, only: ['W1', 'W3', 'W4', 'W5', 'W6', 'W7'] };
export const setup = async () => makeOpen({ reads: false });
