import { makeZip } from 'client-zip'
import { personalData } from '../../personal-data.ts'
import { exportedRows, type Person } from '../../server/personal-data.ts'
import { waitLabel } from '../../server/rate-limits.ts'
import type { Services } from '../../server/services.ts'
import type { Visit } from '../../server/visit.ts'
import { slugOf } from '../courses/rules.ts'
import { brand } from '../site/brand.ts'
import { personById } from './delete-account.ts'
import { mailboxOf } from './shown-email.ts'

const say = (status: number, message: string) =>
  new Response(message, { status, headers: { 'cache-control': 'no-store' } })

const readme = (
  person: Person,
  date: string,
) => `This is what ${brand.name} has of ${mailboxOf(person.email) || 'your account'}, as of ${date}.

data.json   everything but the files. Each section says what it is, what is withheld and why, and
            lists its rows. Times are in UTC (ISO 8601).
files       the files that you uploaded, each under its id and name. Pictures are kept as WebP.
`

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** The sections of all domains, written as they are read. */
async function* dataFile(services: Services, person: Person, date: string) {
  yield `{\n"about": ${json(`What ${brand.name} has of you`)},\n"madeAt": ${json(date)},\n"sections": {`
  let isFirstSection = true
  for (const { tables } of personalData) {
    for (const [section, declared] of Object.entries(tables)) {
      const withheld = Object.fromEntries(
        Object.entries(declared.columns).flatMap(([name, given]) =>
          given === 'exported' ? [] : [[name, given.withheld]],
        ),
      )
      yield `${isFirstSection ? '' : ','}\n${json(section)}: {\n"about": ${json(declared.about)},\n"withheld": ${json(withheld)},\n"rows": [`
      isFirstSection = false
      let isFirstRow = true
      for await (const rows of exportedRows(services.db, declared, person)) {
        yield `${isFirstRow ? '' : ','}\n${rows.map(json).join(',\n')}`
        isFirstRow = false
      }
      yield ']}'
    }
  }
  yield '\n}}\n'
}

async function* bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value as Uint8Array<ArrayBuffer>
  }
}

async function* contents(services: Services, person: Person, madeAt: Date) {
  const { db, storage, log } = services
  const date = madeAt.toISOString()
  yield { name: 'README.txt', lastModified: madeAt, input: readme(person, date) }
  yield { name: 'data.json', lastModified: madeAt, input: dataFile(services, person, date) }
  for (const { files } of personalData) {
    for (const { path, storageKey, uploadedAt } of (await files?.(db, person)) ?? []) {
      if ((await storage.size(storageKey)) === null) {
        log.error({ storageKey }, 'the bytes of an uploaded file are missing')
        continue
      }
      const reader = storage.read(storageKey).getReader()
      try {
        yield { name: path, lastModified: uploadedAt, input: bytesOf(reader) }
      } catch {
        // The download was cut off in the middle of this file.
        return
      } finally {
        await reader.cancel()
      }
    }
  }
}

/**
 * Answers GET and HEAD of `/storage/v1/my-data.zip`: everything that the visitor put in, as one file. It
 * is made while it is sent, so its length is not known before, and neither rows nor files fill the memory.
 */
export function createDataDownload(
  services: Services,
): (request: Request, visit: Visit) => Promise<Response> {
  return async (request, visit) => {
    const viewer = await visit.visitor()
    const person = viewer && (await personById(services.db, viewer.id))
    if (!person) return say(401, 'User must be authenticated')
    const madeAt = new Date()
    const name = `${slugOf(brand.name) || 'account'}-my-data-${madeAt.toISOString().slice(0, 10)}.zip`
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    }
    if (request.method === 'HEAD') return new Response(null, { headers })
    const seconds = await services.rateLimits.downloadByAccount.count(person.id)
    if (seconds > 0) {
      return say(
        429,
        `You have downloaded your data several times just now. Please try again in ${waitLabel(seconds)}.`,
      )
    }
    return new Response(makeZip(contents(services, person, madeAt)), { headers })
  }
}
