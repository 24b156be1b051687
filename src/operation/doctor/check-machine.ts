import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '../../domains/media/ffmpeg.ts'
import type { Config } from '../../server/config.ts'
import { type Disk, disksOf } from '../../server/disks.ts'
import type { Log } from '../../server/log.ts'
import { refuseUnfinishedRestore } from '../../server/unfinished-restore.ts'
import { found, type Finding, note, sizeOf, well, wrong } from './finding.ts'

/** The first that runs our TypeScript as it is and has everything that we use. */
const oldestNode = 24
/** Bytes of the disk: below the first nobody should wait, below the second uploads end soon. */
const enough = 5 * 1024 ** 3
const least = 1024 ** 3

function node(version = process.versions.node): Finding {
  const isNew = Number.parseInt(version, 10) >= oldestNode
  return isNew
    ? well('node', `Node ${version}.`)
    : wrong('node', `Node ${version} is too old.`, 'Start with npm: it brings the right one.')
}

async function dataFolder({ dataDir }: Config): Promise<Finding[]> {
  await refuseUnfinishedRestore(dataDir)
  const file = join(dataDir, `.doctor-${randomUUID()}`)
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile('a doctor was here')
    await handle.sync()
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
  return [well('data folder', `${dataDir} can be written.`), ...(await disksOf(dataDir)).map(room)]
}

export function room({ folder, free: bytes }: Pick<Disk, 'folder' | 'free'>): Finding {
  const left = `${sizeOf(bytes)} are free on the disk of ${folder}.`
  const todo = 'Make room: uploads are refused below 100 MB, and PostgreSQL stops without any.'
  if (bytes < least) return wrong('disk', left, todo)
  return bytes < enough ? note('disk', left, todo) : well('disk', left)
}

async function ffmpeg({ ffmpegPath }: Config, log: Log): Promise<Finding> {
  if (ffmpegPath === 'off') return note('ffmpeg', 'Conversion is off: videos play as uploaded.')
  return (await findFfmpeg(ffmpegPath, log))
    ? well('ffmpeg', 'Videos are converted.')
    : note(
        'ffmpeg',
        'There is none that can do the work: videos play as they were uploaded.',
        'Install ffmpeg with libx264, or set FFMPEG_PATH.',
      )
}

export async function checkMachine(config: Config, log: Log): Promise<Finding[]> {
  const todo = 'Give DATA_DIR to the user that runs Thunder, on a disk that can be written.'
  return [
    node(),
    ...(await found('data folder', todo, () => dataFolder(config))),
    await ffmpeg(config, log),
  ]
}
