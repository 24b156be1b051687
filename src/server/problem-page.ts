import { brand } from '../domains/site/brand.ts'
import { escaped } from '../escaped.ts'

const look = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;box-sizing:border-box;
font:17px/1.5 Figtree,system-ui,sans-serif;background:light-dark(#f9f9fc,#0f101c);color:light-dark(#171a2b,#eeeff7)}
main{max-width:32rem}
h1{font-size:28px;line-height:1.2;margin:0 0 12px}
p{margin:0 0 24px}
a{display:inline-block;padding:12px 20px;border-radius:10px;font-weight:600;text-decoration:none;
background:light-dark(#4630eb,#9a93ff);color:light-dark(#fff,#130f35)}`

/** True where a person would see the answer: not for calls of programs, files and parts of pages. */
export const isOfPerson = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/html') &&
  !/^\/(rest|auth|functions|realtime|storage|webhooks)\//.test(new URL(request.url).pathname)

/** What stands in place of a page of which not even the frame could be rendered. It asks for nothing else. */
export function problemPage(request: Request, status: number, message: string): Response {
  const { pathname, search } = new URL(request.url)
  // Two slashes at its beginning would name another site.
  const here = pathname.replace(/^\/+/, '/') + search
  const title = status === 503 ? 'Please try again in a moment' : 'Something went wrong'
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escaped(brand.name)}</title>
<style>${look}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escaped(message)}</p>
<a href="${escaped(here)}">Try again</a>
</main>
</body>
</html>
`
  return new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
