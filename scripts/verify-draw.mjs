// Draws the winner of a challenge again, from what was published, and says whether it is right. It uses
// nothing of ours: docs/decisions/023-challenges.md says what it does.
//
//   node scripts/verify-draw.mjs draw.json
//   node scripts/verify-draw.mjs https://the.site/rest/v1/challenges/the-challenge/draw
import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const usage =
  'Say what to verify: node scripts/verify-draw.mjs <file, or address that ends with /draw>'

const sha256 = (content) => createHash('sha256').update(content).digest('hex')

async function read(from) {
  if (!/^https?:/.test(from)) return JSON.parse(await readFile(from, 'utf8'))
  const answer = await fetch(from)
  if (!answer.ok) throw new Error(`${from} answered ${answer.status}.`)
  return answer.json()
}

function drawnNumber(seed, entriesHash, count) {
  const total = BigInt(count)
  const values = 2n ** 256n
  for (let round = 0; ; round++) {
    const message = round === 0 ? entriesHash : `${entriesHash} ${round}`
    const digest = createHmac('sha256', seed).update(message).digest('hex')
    const value = BigInt(`0x${digest}`)
    if (value < values - (values % total)) return Number(value % total) + 1
  }
}

function verify({ challenge, status, seedHash, seed, entriesHash, entries, winnerNumber }) {
  const checks = []
  const check = (what, right) => checks.push({ what, right })
  console.log(`${challenge}: ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`)
  const isCanceled = status === 'canceled'
  if (typeof entriesHash !== 'string') {
    throw new Error(
      isCanceled
        ? 'It was canceled before the list of entries was frozen.'
        : 'The list of entries is not frozen yet.',
    )
  }
  const inOrder = entries.every(({ number }, index) => number === index + 1)
  check('The entries are numbered from 1 on', inOrder)
  check(
    'Each entry is in the list once',
    new Set(entries.map(({ id }) => id)).size === entries.length,
  )
  const list = entries.map(({ number, id }) => `${number} ${id}\n`).join('')
  check('The list is the one whose hash was published', sha256(list) === entriesHash)
  if (typeof seed !== 'string') {
    if (checks.every(({ right }) => right)) {
      const drawn = isCanceled ? 'It was canceled' : 'The winner is not drawn yet'
      throw new Error(`The list is right. ${drawn}, so there is no more to verify.`)
    }
    return checks
  }
  const bytes = Buffer.from(seed, 'hex')
  check('The seed has 32 bytes', bytes.length === 32)
  check('The seed is the one whose hash was published', sha256(bytes) === seedHash)
  const number = entries.length > 0 ? drawnNumber(bytes, sha256(list), entries.length) : null
  check(
    `The seed draws number ${number}, and ${winnerNumber} was announced`,
    number === winnerNumber,
  )
  return checks
}

const [from, ...rest] = process.argv.slice(2)
try {
  if (!from || rest.length > 0) throw new Error(usage)
  const checks = verify(await read(from))
  for (const { what, right } of checks) console.log(`${right ? 'right' : 'WRONG'}  ${what}.`)
  const isRight = checks.every(({ right }) => right)
  console.log(isRight ? 'The draw is right.' : 'The draw is NOT right.')
  process.exitCode = isRight ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
