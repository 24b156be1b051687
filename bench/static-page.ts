const words =
  'A page of plain text, as a person could have written it by hand in an afternoon: a heading, paragraphs, ' +
  'one short style sheet in the page itself, no script, no font, no picture, nothing to fetch after it. '

const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Static page</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:18px/1.6 sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}</style></head>
<body><h1>A static page of 20 KB</h1>`

/** 20 KB of HTML with nothing to fetch after it. */
export const staticPage =
  `${head}${`<p>${words.repeat(3)}</p>\n`.repeat(40)}`.slice(0, 20 * 1024 - 14) + '</body></html>'
