// Rondo with one reader on the event iterator, as an application would show a run.
import { makeOpen } from '../lib/rondo.mjs';
export const meta = { name: 'rondo', peer: 'rondo', lib: '../../../dist/core.js', version: 'this checkout', roots: [], providerRoots: [], sequential: true };
export const setup = async () => makeOpen({ reads: true });
