import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const styles = html`<style>
  :root {
    color-scheme: light dark;
    --page: light-dark(#f6f6f7, #101114);
    --card: light-dark(#fff, #191b20);
    --text: light-dark(#1c1d21, #f1f1f3);
    --quiet: light-dark(#5b5e68, #a9acb6);
    --line: light-dark(#d7d9df, #363942);
    --field: light-dark(#8a8d97, #757984);
    --accent: light-dark(#2b4eb8, #9db4ff);
    --on-accent: light-dark(#fff, #0d1530);
    --bad: light-dark(#a8201a, #ff9d96);
    --notice: light-dark(#fff1cc, #3b2f0b);
    --on-notice: light-dark(#5c4300, #ffe3a0);
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    background: var(--page);
    color: var(--text);
    font:
      1rem/1.5 system-ui,
      sans-serif;
  }
  .test-mode {
    margin: 0;
    padding: 0.5rem 1rem;
    background: var(--notice);
    color: var(--on-notice);
    text-align: center;
    font-weight: 600;
  }
  main {
    max-width: 30rem;
    margin: 0 auto;
    padding: 1.5rem 1rem 4rem;
  }
  main.wide {
    max-width: 72rem;
  }
  h1 {
    font-size: 1.5rem;
    line-height: 1.25;
    margin: 0 0 0.5rem;
  }
  h2 {
    font-size: 1.125rem;
    margin: 0 0 0.75rem;
  }
  p {
    margin: 0 0 1rem;
  }
  .quiet {
    color: var(--quiet);
  }
  .amount {
    font-size: 2rem;
    font-weight: 650;
    line-height: 1.2;
  }
  section,
  .card {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 12px;
    padding: 1.25rem;
    margin: 0 0 1rem;
  }
  dl {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.25rem 1rem;
    margin: 0;
  }
  dd {
    margin: 0;
    text-align: right;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  .field {
    margin: 0 0 1rem;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 10.5rem), 1fr));
    gap: 0 1rem;
  }
  label {
    display: block;
    font-weight: 550;
  }
  input:not([type='radio'], [type='checkbox']),
  select {
    width: 100%;
    min-height: 2.75rem;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--field);
    border-radius: 8px;
    background: var(--card);
    color: inherit;
    font: inherit;
  }
  input[aria-invalid='true'] {
    border-color: var(--bad);
  }
  .error {
    color: var(--bad);
    margin: 0.25rem 0 0;
  }
  .alert {
    border: 1px solid var(--bad);
    border-radius: 8px;
    padding: 0.75rem 1rem;
    color: var(--bad);
  }
  details {
    margin: 0 0 1rem;
  }
  fieldset {
    border: 1px solid var(--line);
    border-radius: 8px;
    margin: 0 0 1rem;
    padding: 0.5rem 0.75rem;
  }
  legend {
    font-weight: 550;
    padding: 0 0.25rem;
  }
  .choice {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    padding: 0.25rem 0;
    font-weight: 400;
  }
  .choice code {
    white-space: nowrap;
  }
  button,
  .button {
    display: inline-block;
    min-height: 2.75rem;
    padding: 0.5rem 1rem;
    border: 1px solid var(--field);
    border-radius: 8px;
    background: var(--card);
    color: inherit;
    font: inherit;
    font-weight: 550;
    text-decoration: none;
    cursor: pointer;
  }
  .main {
    width: 100%;
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  a {
    color: var(--accent);
  }
  a.button {
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: end;
  }
  .row form {
    display: flex;
    gap: 0.5rem;
    align-items: end;
    margin: 0;
  }
  .row input:not([type='radio'], [type='checkbox']) {
    width: 8rem;
  }
  ul.plain {
    list-style: none;
    padding: 0;
    margin: 0;
  }
  ul.plain > li {
    border-top: 1px solid var(--line);
    padding: 1rem 0;
  }
  ul.plain > li:first-child {
    border-top: 0;
    padding-top: 0;
  }
  code {
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
    gap: 1rem;
    align-items: start;
  }
</style>`

interface PageParts {
  title: string
  body: Html
  isWide?: boolean
}

export const layout = ({ title, body, isWide = false }: PageParts) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · test mode</title>
        ${styles}
      </head>
      <body>
        <header><p class="test-mode">TEST MODE: no money moves</p></header>
        <main class="${isWide ? 'wide' : ''}">${body}</main>
      </body>
    </html>`

/** A page that only says something, with a way on if there is one. */
export const message = (title: string, text: string, link?: { to: string; label: string } | null) =>
  layout({
    title,
    body: html`<h1>${title}</h1>
      <p>${text}</p>
      ${link ? html`<p><a class="button" href="${link.to}">${link.label}</a></p>` : ''}`,
  })

export const inMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)

export const onDay = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-US', {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
