import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono, type Context } from 'hono'
import { html, raw } from 'hono/html'
import type { CaughtMail } from './caught-mails.ts'

/**
 * Whether somebody at this machine asks, by a name of this machine: a page of another site, whose own name was
 * made to lead here, runs in a browser at this machine as well (DNS rebinding).
 */
export function isLocal(context: Context): boolean {
  const address = context.env?.incoming ? (getConnInfo(context).remote.address ?? '') : '127.0.0.1'
  if (!/^(::1|(::ffff:)?127\.)/.test(address) || context.req.header('x-forwarded-for')) return false
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(context.req.url).hostname)
}

/** Mails that the embedded catchers hold, for development and demos. */
export function outbox(caught: () => Promise<CaughtMail[]>) {
  const app = new Hono()
  // Caught mails hold private links.
  app.use(async (context, next) => {
    if (!isLocal(context)) return context.text('The outbox is shown on this machine only.', 403)
    await next()
    return undefined
  })
  app.get('/', async (context) => {
    context.header(
      'content-security-policy',
      // Each mail in a frame, which has a policy of its own.
      "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    const mails = await caught()
    return context.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width" />
            <meta name="color-scheme" content="light dark" />
            <title>Outbox</title>
            <style>
              body {
                font:
                  16px/1.5 system-ui,
                  sans-serif;
                max-width: 46rem;
                margin: 2rem auto;
                padding: 0 1rem;
              }
              article {
                border: 1px solid color-mix(in srgb, currentcolor 20%, transparent);
                border-radius: 12px;
                padding: 1rem 1.25rem;
                margin: 1rem 0;
              }
              h2 {
                font-size: 1.1rem;
                margin: 0;
              }
              iframe {
                width: 100%;
                height: 28rem;
                border: 0;
                border-radius: 8px;
                background: #fff;
              }
              pre {
                white-space: pre-wrap;
              }
            </style>
          </head>
          <body>
            <main>
              <h1>Outbox</h1>
              <p>No SMTP_URL is set, so mails are caught here instead of being delivered.</p>
              ${mails.length === 0 ? html`<p>No mails yet.</p>` : ''}
              ${mails.map(
                (mail) =>
                  html`<article>
                    <h2>${mail.subject}</h2>
                    <p>
                      To ${mail.to} · <time datetime="${mail.receivedAt}">${mail.receivedAt}</time>
                    </p>
                    <details>
                      <summary>Show the mail</summary>
                      <iframe sandbox="" title="${mail.subject}" src="/outbox/${mail.id}"></iframe>
                      <pre>${mail.text}</pre>
                    </details>
                  </article>`,
              )}
            </main>
          </body>
        </html>`,
    )
  })
  app.get('/mails.json', async (context) => context.json(await caught()))
  app.get('/:id', async (context) => {
    const mails = await caught()
    const mail = mails.find(({ id }) => String(id) === context.req.param('id'))
    if (!mail) return context.text('This mail is not here any more.', 404)
    context.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    )
    return context.html(raw(mail.html))
  })
  return app
}
