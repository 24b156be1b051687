import { Hono } from 'hono'
import { html } from 'hono/html'
import { brand } from '../domains/site/brand.ts'
import { type ApiDescription, describeApi, operationsOf } from './api-description.ts'
import { apiGuide } from './api-guide.ts'
import { keptText } from './kept-text.ts'
import { contentSecurityPolicy } from './security.ts'
import { sharedRefusals, withoutShared } from './shared-refusals.ts'

const json = (value: unknown) => JSON.stringify(value, null, 2)

function docsPage(description: ApiDescription, appUrl: string) {
  const refusals = sharedRefusals(description)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${brand.name} API</title>
        <style>
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            max-width: 56rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          details {
            border-bottom: 1px solid color-mix(in srgb, currentcolor 18%, transparent);
            padding: 0.75rem 0;
          }
          summary {
            cursor: pointer;
            overflow-wrap: anywhere;
          }
          code {
            font-weight: 600;
          }
          pre {
            overflow: auto;
            font-size: 0.85rem;
            padding: 1rem;
            border-radius: 8px;
            background: color-mix(in srgb, currentcolor 7%, transparent);
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${brand.name} API</h1>
          <p>For machines: <a href="/rest/v1/openapi.json">/rest/v1/openapi.json</a></p>
          ${apiGuide(appUrl).map(
            ({ title, paragraphs, list = [], example }) =>
              html`<section>
                <h2>${title}</h2>
                ${paragraphs.map((text) => html`<p>${text}</p>`)}
                ${
                  list.length > 0
                    ? html`<dl>
                        ${list.map(
                          ({ term, text }) =>
                            html`<dt><code>${term}</code></dt>
                              <dd>${text}</dd>`,
                        )}
                      </dl>`
                    : ''
                }
                ${example ? html`<pre tabindex="0">${example}</pre>` : ''}
              </section>`,
          )}
          <h2>Refusals that most calls share</h2>
          <pre tabindex="0">${json(refusals)}</pre>
          <h2>Calls</h2>
          ${operationsOf(description).map(({ method, path, operation }) => {
            const answers = withoutShared(operation.responses ?? {}, refusals)
            return html`<details>
              <summary><code>${method} ${path}</code> · ${operation.summary}</summary>
              ${operation.description ? html`<p>${operation.description}</p>` : ''}
              ${
                operation.parameters
                  ? html`<h3>Parameters</h3>
                      <pre tabindex="0">${json(operation.parameters)}</pre>`
                  : ''
              }
              ${
                operation.requestBody
                  ? html`<h3>Body</h3>
                      <pre tabindex="0">${json(operation.requestBody)}</pre>`
                  : ''
              }
              <h3>Answers</h3>
              <pre tabindex="0">${json(answers.own)}</pre>
              ${
                answers.shared.length > 0
                  ? html`<p>And what most calls share: ${answers.shared.join(', ')}.</p>`
                  : ''
              }
            </details>`
          })}
        </main>
      </body>
    </html>`
}

/** The description of the API, for people at /docs and for machines. */
export function apiDocs(appUrl: string) {
  const forMachines = keptText(async () => JSON.stringify(await describeApi(appUrl)), {
    'content-type': 'application/json',
  })
  const forPeople = keptText(async () => String(docsPage(await describeApi(appUrl), appUrl)), {
    'content-type': 'text/html; charset=UTF-8',
    // Without the first word the service worker would take it for a page as strangers see it, and forget kept lessons.
    'cache-control': 'public, no-cache',
    'content-security-policy': contentSecurityPolicy([]),
  })
  return new Hono()
    .get('/rest/v1/openapi.json', (context) => forMachines(context.req.raw))
    .get('/docs', (context) => forPeople(context.req.raw))
}
