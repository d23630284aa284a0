#!/usr/bin/env node
// Plain old syntax on purpose: a Node too old for orch must still be able to read this file.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

var root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// a clone has sources and needs no build; the package has compiled files alone
var source = path.join(root, 'src', 'cli.ts');
var entry = fs.existsSync(source) ? source : path.join(root, 'dist', 'cli.js');
var ownNode = path.join(root, 'node_modules', 'node', 'bin', 'node');
var version = process.versions.node.split('.').map(Number);

if (version[0] > 24 || (version[0] === 24 && version[1] >= 15)) {
  process.argv[1] = entry;
  void import(pathToFileURL(entry).href);
} else if (fs.existsSync(ownNode)) {
  startWith(ownNode);
} else {
  console.error(
    'orch: needs Node >= 24.15, this is Node ' + process.versions.node + '. Install Node 24 and try again.',
  );
  process.exit(2);
}

// `npm ci` in a clone brings a Node of its own
function startWith(node) {
  var child = spawn(node, [entry].concat(process.argv.slice(2)), { stdio: 'inherit' });
  // a terminal sends Ctrl-C to both; the child decides when to end
  process.on('SIGINT', function () {});
  ['SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    // ends as the child did
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
