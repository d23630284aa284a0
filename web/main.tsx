import { options, render } from 'preact';
import { App } from './app.tsx';
import { Connection } from './data/connection.ts';
import { DataContext, type Data } from './data/context.ts';
import { networkSource, takeToken } from './data/network-source.ts';
import { embeddedReport, reportSource } from './data/report-source.ts';
import { escapeForeignText } from './parts/foreign-text.ts';
import { applyTheme } from './parts/theme.tsx';
import { rememberScroll } from './scroll.ts';

escapeForeignText(options);
applyTheme();
rememberScroll();
const data = open();
const root = document.getElementById('page');
if (root === null) throw new Error('the document has no element #page');
render(
  <DataContext.Provider value={data}>
    <App />
  </DataContext.Provider>,
  root,
);

function open(): Data {
  const report = embeddedReport();
  if (report !== null) return { source: reportSource(report), connection: null };
  const connection = new Connection();
  connection.start();
  return { source: networkSource(takeToken()), connection };
}
