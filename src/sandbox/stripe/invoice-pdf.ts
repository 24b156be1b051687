import type Stripe from 'stripe'
import { brand } from '../../domains/site/brand.ts'
import { inMoney, onDay } from './pages/layout.ts'

/** The letters that a PDF's own fonts have. */
const printable = (text: string) =>
  text.normalize('NFC').replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?')

export async function invoicePdf(invoice: Stripe.Invoice): Promise<Uint8Array<ArrayBuffer>> {
  // A third of a second, which no start of the server should wait for.
  const { default: PDFDocument } = await import('pdfkit')
  const amount = inMoney(invoice.total, invoice.currency)
  const number = invoice.number ?? invoice.id
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 56,
    lang: 'en',
    displayTitle: true,
    compress: false,
    info: { Title: `Invoice ${number}`, Subject: `${amount} (test mode)`, Author: brand.name },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const finished = new Promise((resolve) => pdf.once('end', resolve))

  const line = (label: string, value: string) => {
    const top = pdf.y
    pdf.font('Helvetica').text(printable(label), 56, top, { width: 330 })
    const below = pdf.y
    pdf.font('Helvetica-Bold').text(printable(value), 396, top, { width: 143, align: 'right' })
    pdf.y = Math.max(below, pdf.y) + 6
  }
  pdf.fontSize(10).text('TEST MODE: no money moves')
  pdf.moveDown().font('Helvetica-Bold').fontSize(22).text('Invoice')
  pdf.moveDown(0.5).fontSize(11)
  line('Number', number)
  line('Date', onDay(invoice.created))
  line('For', invoice.customer_name ?? invoice.customer_email ?? '')
  if (invoice.customer_email) line('Email', invoice.customer_email)
  line('Status', invoice.status ?? '')
  pdf.moveDown()
  for (const item of invoice.lines.data) {
    line(item.description ?? 'Subscription', inMoney(item.amount, item.currency))
    const { start, end } = item.period
    if (end > start) line(`${onDay(start)} to ${onDay(end)}`, '')
  }
  pdf.moveDown()
  line('Total', amount)
  line('Paid', inMoney(invoice.amount_paid, invoice.currency))
  if (invoice.amount_remaining > 0 && invoice.status === 'open') {
    line('Due', inMoney(invoice.amount_remaining, invoice.currency))
  }
  pdf.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}
