import { brand } from '../domains/site/brand.ts'

interface MailContent {
  heading: string
  paragraphs: string[]
  action?: { label: string; url: string }
  /** Why the person gets this mail. */
  reason: string
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** One layout for every mail, in both forms; the plain text says everything that the HTML says. */
export function mailPage({ heading, paragraphs, action, reason }: MailContent) {
  const text = [
    heading,
    ...paragraphs,
    ...(action ? [`${action.label}: ${action.url}`] : []),
    `-- \n${reason}`,
  ]
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escaped(heading)}</title></head>
<body style="margin:0;background:#f3f4f9;font-family:system-ui,sans-serif;color:#1a1b2e">
<div style="max-width:560px;margin:0 auto;padding:32px 16px">
<p style="font-weight:700;font-size:18px;margin:0 0 16px">⚡ ${escaped(brand.name)}</p>
<div style="background:#fff;border:1px solid #e2e4ee;border-radius:12px;padding:32px">
<h1 style="font-size:24px;line-height:1.2;margin:0 0 16px">${escaped(heading)}</h1>
${paragraphs.map((part) => `<p style="font-size:16px;line-height:1.5;margin:0 0 16px">${escaped(part)}</p>`).join('\n')}
${action ? `<p style="margin:24px 0 0"><a href="${escaped(action.url)}" style="display:inline-block;background:#4630eb;color:#fff;text-decoration:none;font-weight:600;padding:12px 20px;border-radius:10px">${escaped(action.label)}</a></p>` : ''}
</div>
<p style="font-size:13px;line-height:1.5;color:#5c6078;margin:16px 0 0">${escaped(reason)}</p>
</div></body></html>`
  return { text: text.join('\n\n'), html }
}
