import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { contract } from '../contract.ts'
import { brand } from '../domains/site/brand.ts'
import { contentSecurityPolicy } from './security.ts'

const describe = () =>
  new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
    info: {
      title: brand.name,
      version: '1',
      description:
        'Calls are made with the session cookie. Errors are JSON with `code`, `status` and a `message` for people; 422 also lists the fields.',
    },
  })

type Description = Awaited<ReturnType<typeof describe>>

/** Method, path and operation of every call, in the order of the contract. */
function operationsOf(description: Description) {
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item?.[method]
      return operation ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

function docsPage(description: Description) {
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
          <p>${description.info.description}</p>
          <p>For machines: <a href="/rest/v1/openapi.json">/rest/v1/openapi.json</a></p>
          ${operationsOf(description).map(
            ({ method, path, operation }) =>
              html`<details>
                <summary><code>${method} ${path}</code> · ${operation.summary}</summary>
                ${
                  operation.parameters
                    ? html`<h2>Parameters</h2>
                        <pre tabindex="0">${json(operation.parameters)}</pre>`
                    : ''
                }
                ${
                  operation.requestBody
                    ? html`<h2>Body</h2>
                        <pre tabindex="0">${json(operation.requestBody)}</pre>`
                    : ''
                }
                <h2>Answers</h2>
                <pre tabindex="0">${json(operation.responses)}</pre>
              </details>`,
          )}
        </main>
      </body>
    </html>`
}

/** The description of the API, for people at /docs and for machines; made at the first visit. */
export function apiDocs() {
  let made: Promise<Description> | undefined
  const description = () => (made ??= describe())
  return new Hono()
    .get('/rest/v1/openapi.json', async (context) => context.json(await description()))
    .get('/docs', async (context) => {
      context.header('content-security-policy', contentSecurityPolicy([]))
      return context.html(docsPage(await description()))
    })
}
