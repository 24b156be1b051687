// A certificate as a PDF: one page, A4, landscape.
import { encode } from 'uqr'
import { BOLT } from '../../ui/mark.ts'
import { brand } from '../site/brand.ts'
import { type Face, type Letters, lettersOf } from './pdf-letters.ts'
import { certificateDay, certificatePath } from './rules.ts'
import type { CertificateLook } from './schema.ts'
import { panelColours } from './look.ts'

type Pdf = PDFKit.PDFDocument

const page = { width: 841.89, height: 595.28 }
const left = 56
/** Of the text, beside the coloured part. */
const measure = 500
const ink = '#171a2b'
const muted = '#555a70'

export interface PrintedCertificate {
  id: string
  learnerName: string
  courseTitle: string
  creatorName: string
  look: CertificateLook
  issuedAt: Date
}

/** PNG. */
interface Sender {
  /** Of the course. */
  logo: Buffer | null
  /** Of the product. */
  mark: Buffer
}

interface Drawn {
  face: Face
  /** The first in which it fits. */
  sizes: number[]
  lines: number
  colour: string
}

/** Draws a text in the largest size in which it fits, from `y` on; answers where it ends. */
function drawFitting(pdf: Pdf, letters: Letters, text: string, y: number, how: Drawn): number {
  const { face, sizes, lines: allowed, colour } = how
  const smallest = sizes.at(-1)!
  const found = sizes
    .map((size) => ({
      size,
      lines: letters.wrap(text, { face, size }, { width: measure, lines: allowed }),
    }))
    .find(({ lines }) => lines !== null)
  const size = found?.size ?? smallest
  const lines = found?.lines ?? cutTo(letters, text, { face, size: smallest }, allowed)
  let at = y
  pdf.fillColor(colour)
  for (const line of lines) {
    letters.draw(line, { face, size }, left, at)
    at += size * 1.16
  }
  return at
}

/** As many letters as fit; what is missing is on the certificate's page. */
function cutTo(letters: Letters, text: string, style: { face: Face; size: number }, lines: number) {
  const all = [...text]
  // Between these: so many fit, and so many do not.
  let [fits, not] = [0, all.length]
  let found: string[] = []
  while (not - fits > 1) {
    const middle = Math.floor((fits + not) / 2)
    const start = all.slice(0, middle).join('').trimEnd()
    const wrapped = letters.wrap(`${start}…`, style, { width: measure, lines })
    if (wrapped) [found, fits] = [wrapped, middle]
    else not = middle
  }
  return found
}

function drawPanel(pdf: Pdf, colours: ReturnType<typeof panelColours>): void {
  pdf.polygon([676, 0], [page.width, 0], [page.width, page.height], [606, page.height])
  pdf.fill(colours.panel)
  pdf.save().translate(654, 110).scale(9).path(BOLT).fill(colours.bolt).restore()
}

/** With its quiet zone, and a link. */
function drawQrCode(pdf: Pdf, address: string): void {
  const { data, size } = encode(address, { ecc: 'M', border: 3 })
  const side = 104
  const [x, y] = [page.width - side - 40, page.height - side - 44]
  const square = side / size
  pdf.roundedRect(x, y, side, side, 5).fill('#ffffff')
  data.forEach((row, line) =>
    row.forEach((dark, column) => {
      if (dark) pdf.rect(x + column * square, y + line * square, square + 0.05, square + 0.05)
    }),
  )
  pdf.fill('#000000').link(x, y, side, side, address)
}

/** The logo of the course alone, else the product's mark and name. */
function drawSender(pdf: Pdf, letters: Letters, { logo, mark }: Sender): void {
  if (logo) pdf.image(logo, left, 42, { width: 46, height: 46 })
  else pdf.image(mark, left, 48, { width: 28, height: 28 })
  if (logo) return
  const name = letters.printable(brand.name, 'display').text
  pdf.fillColor(ink)
  letters.draw(name, { face: 'display', size: 21 }, left + 37, 50)
}

function drawBottom(
  pdf: Pdf,
  letters: Letters,
  {
    certificate,
    address,
    note,
  }: { certificate: PrintedCertificate; address: string; note: string },
): void {
  const y = 478
  const signatory =
    letters.printable(certificate.look.signatory, 'strong').text || 'Named at the address below'
  const columns: [string, string, number][] = [
    [certificateDay(certificate.issuedAt), 'Completed on', left],
    [signatory, `For the course, on ${letters.printable(brand.name, 'text').text}`, left + 190],
  ]
  for (const [value, label, x] of columns) {
    const most = x === left ? 160 : 300
    pdf.moveTo(x, y + 22).lineTo(x + most, y + 22)
    pdf.lineWidth(0.75).strokeColor('#b9bccb').stroke()
    const size = [13, 11, 9, 7, 5].find(
      (one) => letters.width(value, { face: 'strong', size: one }) <= most,
    )
    pdf.fillColor(ink)
    letters.draw(value, { face: 'strong', size: size ?? 4 }, x, y + 17 - (size ?? 4))
    pdf.fillColor(muted)
    letters.draw(label, { face: 'text', size: 9 }, x, y + 28)
  }
  pdf.fillColor(muted)
  letters.draw(
    'Anybody can check at this address whether it is valid:',
    { face: 'text', size: 8.5 },
    left,
    530,
  )
  letters.draw(address, { face: 'strong', size: 8.5 }, left, 542)
  pdf.link(left, 541, letters.width(address, { face: 'strong', size: 8.5 }), 12, address)
  if (note !== '') letters.draw(note, { face: 'text', size: 8.5 }, left, 554)
}

/** What is said where our typefaces do not have the letters of a text. */
function inPlaceOf(letters: Letters, text: string, face: Face, otherwise: string) {
  const { text: words, kept } = letters.printable(text, face)
  return { words: kept === 'not printable' ? otherwise : words, kept }
}

export async function certificatePdf(
  certificate: PrintedCertificate,
  sender: Sender & { colour: string },
): Promise<Uint8Array<ArrayBuffer>> {
  // A third of a second, which no start of the server should wait for.
  const { default: PDFDocument } = await import('pdfkit')
  const address = brand.appUrl + certificatePath(certificate.id)
  const pdf = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    lang: 'en',
    displayTitle: true,
    // These are Unicode: they hold what the page cannot show.
    info: {
      Title: `${certificate.look.heading}: ${certificate.learnerName}, ${certificate.courseTitle}`,
      Author: brand.name,
      Subject: address,
      CreationDate: certificate.issuedAt,
    },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const finished = new Promise((resolve) => pdf.once('end', resolve))
  const letters = await lettersOf(pdf)
  const colours = panelColours(certificate.look.colour, sender.colour)
  drawPanel(pdf, colours)
  drawQrCode(pdf, address)
  drawSender(pdf, letters, sender)

  const { look } = certificate
  const learner = inPlaceOf(
    letters,
    certificate.learnerName,
    'display',
    'The person named at the address below',
  )
  const course = inPlaceOf(
    letters,
    certificate.courseTitle,
    'display',
    'The course named at the address below',
  )
  const creator = letters.printable(certificate.creatorName, 'text').text
  const kept = [learner.kept, course.kept]
  const note = kept.includes('not printable')
    ? 'There are letters in it that cannot be printed here: they stand at that address.'
    : kept.includes('in Latin letters')
      ? 'It is printed in Latin letters: it stands in its own at that address.'
      : ''
  const heading = letters.printable(look.heading, 'strong').text
  let y = drawFitting(pdf, letters, heading, 116, {
    face: 'strong',
    sizes: [17, 14],
    lines: 2,
    colour: colours.heading,
  })
  const small = (text: string, at: number) =>
    drawFitting(pdf, letters, text, at, { face: 'text', sizes: [13], lines: 1, colour: muted })
  y = small('This certifies that', y + 20)
  y = drawFitting(pdf, letters, learner.words, y + 4, {
    face: 'display',
    sizes: [46, 40, 34, 28, 23, 19],
    lines: 2,
    colour: ink,
  })
  y = small('completed every lesson of', y + 12)
  y = drawFitting(pdf, letters, course.words, y + 5, {
    face: 'display',
    sizes: [27, 23, 20, 17, 14, 12],
    lines: 3,
    colour: ink,
  })
  if (creator !== '') {
    y = drawFitting(pdf, letters, `A course by ${creator}`, y + 6, {
      face: 'text',
      sizes: [13, 11, 9, 8],
      lines: 3,
      colour: muted,
    })
  }
  const words = letters.printable(look.words, 'text').text
  if (words !== '') {
    const room = Math.max(1, Math.min(4, Math.floor((462 - y - 10) / 13)))
    drawFitting(pdf, letters, words, y + 10, {
      face: 'text',
      sizes: [12, 11, 10],
      lines: room,
      colour: ink,
    })
  }
  drawBottom(pdf, letters, { certificate, address, note })
  pdf.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}
