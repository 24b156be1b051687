import { brand } from '../domains/site/brand.ts'
import { escaped } from '../escaped.ts'

/** A heading with what belongs to it. */
export interface MailGroup {
  title: string
  items: { title: string; text: string; url: string | null }[]
}

interface MailContent {
  heading: string
  /** Something to type somewhere, shown large. */
  code?: string
  paragraphs: string[]
  groups?: MailGroup[]
  action?: { label: string; url: string }
  /** Why the person gets this mail. */
  reason: string
  /** What can be done about it. */
  links?: { label: string; url: string }[]
}

// Inline for readers that drop style sheets: those get the light look. The sheet below turns it dark.
const font = `font-family:Figtree,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif`
// A long address or word must not make the mail wider than a phone.
const broken = 'overflow-wrap:anywhere;word-break:break-word'
const paragraph = `font-size:16px;line-height:1.5;margin:0 0 16px;${broken}`
const small = 'font-size:13px;line-height:1.5;color:#5c6078'

/** With the lines that were written, in their own direction. */
const linesHtml = (text: string) => escaped(text).replaceAll('\n', '<br>')

const darkLook = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#0f101c!important;color:#eeeff7!important}
.card{background:#171927!important;border-color:#2e3145!important}
.quiet{color:#b0b4c8!important}
.link{color:#b1abff!important}
.button{background:#9a93ff!important;color:#130f35!important}
.code{background:#222544!important}
}`

function actionHtml({ label, url }: { label: string; url: string }): string {
  const address = escaped(url)
  return `<p style="margin:24px 0"><a class="button" href="${address}" style="display:inline-block;background:#4630eb;color:#fff;text-decoration:none;font-weight:600;font-size:16px;line-height:1.25;padding:13px 22px;border-radius:10px">${escaped(label)}</a></p>
<p class="quiet" style="${small};margin:0">If the button does nothing, copy this address into your browser:<br><a class="quiet" href="${address}" style="color:#5c6078;word-break:break-all;overflow-wrap:anywhere">${address}</a></p>`
}

const codeHtml = (code: string) =>
  `<p class="code" style="display:inline-block;background:#eeeefe;border-radius:10px;margin:0 0 16px;padding:14px 20px;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:30px;line-height:1.1;font-weight:700;letter-spacing:6px">${escaped(code)}</p>`

const groupText = ({ title, items }: MailGroup) => [
  title.toUpperCase(),
  ...items.map((item) => [item.title, item.text, ...(item.url ? [item.url] : [])].join('\n')),
]

const itemHtml = ({ title, text, url }: MailGroup['items'][number]) => {
  const name = escaped(title)
  const linked = url
    ? `<a class="link" href="${escaped(url)}" style="color:#4630eb">${name}</a>`
    : name
  return `<li dir="auto" style="margin:0 0 14px;padding:0;${broken}"><strong>${linked}</strong><br>${linesHtml(text)}</li>`
}

const groupHtml = ({ title, items }: MailGroup) =>
  `<h2 style="font-size:16px;line-height:1.3;margin:24px 0 12px">${escaped(title)}</h2>
<ul style="font-size:16px;line-height:1.5;list-style:none;margin:0;padding:0">${items.map(itemHtml).join('\n')}</ul>`

const linkHtml = ({ label, url }: { label: string; url: string }) =>
  `<a class="quiet" href="${escaped(url)}" style="color:#5c6078">${escaped(label)}</a>`

/** One layout for every mail, in both forms; the plain text says everything that the HTML says. */
export function mailPage(content: MailContent) {
  const { heading, code, paragraphs, groups = [], action, reason, links = [] } = content
  const text = [
    heading,
    ...(code ? [code] : []),
    ...paragraphs,
    ...groups.flatMap(groupText),
    ...(action ? [`${action.label}: ${action.url}`] : []),
    [`-- \n${reason}`, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ]
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(heading)}</title><style>${darkLook}</style></head>
<body class="paper" style="margin:0;background:#f6f6fb;color:#1a1b2e;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escaped(paragraphs[0] ?? '')}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>
<div style="max-width:560px;margin:0 auto;padding:32px 16px">
<p style="font-weight:700;font-size:18px;line-height:1.3;margin:0 0 16px">⚡ ${escaped(brand.name)}</p>
<div class="card" style="background:#fff;border:1px solid #e2e4ee;border-radius:12px;padding:28px 24px ${action ? 28 : 12}px">
<h1 dir="auto" style="font-size:24px;line-height:1.2;margin:0 0 16px;${broken}">${escaped(heading)}</h1>
${code ? codeHtml(code) : ''}
${paragraphs.map((part) => `<p dir="auto" style="${paragraph}">${linesHtml(part)}</p>`).join('\n')}
${groups.map(groupHtml).join('\n')}
${action ? actionHtml(action) : ''}
</div>
<p class="quiet" style="${small};margin:16px 8px 0">${[escaped(reason), ...links.map(linkHtml)].join('<br>')}</p>
</div></body></html>`
  return { text: text.join('\n\n'), html }
}
