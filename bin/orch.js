#!/usr/bin/env node
// Plain old syntax on purpose: a Node too old for orch must still be able to read this file and say so.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 15)) {
  console.error(
    'orch: needs Node >= 24.15, this is Node ' + process.versions.node + '. Install Node 24 and try again.',
  );
  process.exit(2);
}
void import('../dist/cli.js');
