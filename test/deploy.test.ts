// The ways to run it that no test can start: the unit of systemd, and the container's compose file.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { readDockerfile } from '../scripts/dockerfile.mjs'
import { readConfig } from '../src/server/config.ts'

const unitFile = 'deploy/thunder.service'
const variablesFile = 'deploy/thunder.env'
const hasSystemd = existsSync('/usr/bin/systemd-analyze')

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      build: z.string().optional(),
      env_file: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      depends_on: z.record(z.string(), z.unknown()).optional(),
      volumes: z.array(z.string()).optional(),
      command: z.array(z.string()).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
})
const compose = composeFile.parse(parse(await readFile('compose.yaml', 'utf8'), { merge: true }))

const uncommented = (lines: string) => lines.replaceAll(/^#(?=[A-Z_]+=)/gm, '')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-deploy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const readme = await readFile('README.md', 'utf8')
const isDocumented = (name: string) => readme.includes(`\`${name}\``)

test.runIf(hasSystemd)(
  'systemd finds nothing wrong with the unit, and little exposed',
  async () => {
    const folder = await newFolder()
    const copy = join(folder, 'thunder.service')
    const unit = await readFile(unitFile, 'utf8')
    // Where it will be installed there is nothing here, and it looks whether programs are there.
    const program = '/opt/thunder/node_modules/.bin/node'
    expect(unit).toContain(`ExecStart=${program} `)
    await writeFile(copy, unit.replace(program, process.execPath))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', copy], {
      encoding: 'utf8',
    })
    expect([verified.stdout + verified.stderr, verified.status]).toEqual(['', 0])
    const measured = spawnSync('systemd-analyze', ['security', '--offline=true', copy], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(measured.stdout)!
    expect(Number(exposure)).toBeLessThanOrEqual(2)
  },
)

test('the variables of the unit and of the compose file are ours', async () => {
  const unit = await readFile(unitFile, 'utf8')
  const ofUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) =>
    line!.split(' ').map((pair) => pair.split('=')[0]!),
  )
  const ofService = Object.keys(parseEnv(await readFile(variablesFile, 'utf8').then(uncommented)))
  const ofCompose = Object.keys(compose.services.thunder!.environment!)
  const unknown = [...ofUnit, ...ofService, ...ofCompose].filter((name) => !isDocumented(name))
  expect(unknown).toEqual(['NODE_ENV'])
})

test('who follows the pages of deployment hears of the sender and of the support address', async () => {
  const operations = await readFile('docs/operations.md', 'utf8')
  const deploying = operations.slice(operations.indexOf('## Deploying')).split('\n## ')[0]!
  for (const name of ['APP_URL', 'SMTP_URL', 'MAIL_FROM', 'SUPPORT_EMAIL']) {
    expect(await readFile(variablesFile, 'utf8')).toContain(`#${name}=`)
    expect(await readFile('compose.yaml', 'utf8')).toContain(name)
    expect(deploying).toContain(`\`${name}\``)
  }
})

test('the service keeps what it has where it may write', async () => {
  const unit = await readFile(unitFile, 'utf8')
  const { dataDir } = readConfig(parseEnv(await readFile(variablesFile, 'utf8')))
  expect(unit).toContain('EnvironmentFile=/etc/thunder.env\n')
  expect(unit).toContain(`StateDirectory=${dataDir.replace('/var/lib/', '')}\n`)
})

test('a restore beside the unit fills the folder in which the service may write', async () => {
  const { dataDir } = readConfig(parseEnv(await readFile(variablesFile, 'utf8')))
  const operations = await readFile('docs/operations.md', 'utf8')
  const restoring = operations.slice(operations.indexOf('**Restoring.**'))
  expect(restoring).toContain(
    `install -d -o thunder -g thunder -m 700 ${dataDir} && sudo -u thunder thunder restore /backups/`,
  )
  expect(operations).not.toMatch(/DATA_DIR=\S+ thunder /)
  // Another folder has to be opened to it.
  expect(await readFile(unitFile, 'utf8')).toContain('ReadWritePaths=')
  expect(await readFile(variablesFile, 'utf8')).toContain('ReadWritePaths=')
})

/** What the command `thunder` says, installed here and with these variables of the service. */
async function thunder(
  ofService: string | null,
  parameters: string[],
  ofCaller: Record<string, string> = {},
) {
  const folder = await newFolder()
  const variables = join(folder, 'thunder.env')
  if (ofService !== null) await writeFile(variables, ofService)
  const command = await readFile('deploy/thunder', 'utf8')
  const here = command
    .replaceAll('/opt/thunder', process.cwd())
    .replaceAll('/etc/thunder.env', variables)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', here, 'thunder', ...parameters], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...ofCaller },
  })
  return { status, said: (stdout + stderr).trim() }
}

test.each([
  ['admin', 'ann@example.com'],
  ['announce', 'A title', 'A message'],
  ['backup', '/nowhere/backup'],
  ['payment-mode', 'live'],
])('thunder %s is about the Thunder of the service', async (...parameters) => {
  const dataDir = await newFolder()
  const none = `There is no Thunder in ${dataDir}: set DATA_DIR or DATABASE_URL.`
  const ofService = `# Where it is\nDATA_DIR='${dataDir}'\n#SIGNUP=maybe\n`
  expect(await thunder(ofService, parameters)).toEqual({ status: 1, said: none })
  // In the container there is no such file.
  expect(await thunder(null, parameters, { DATA_DIR: dataDir })).toEqual({ status: 1, said: none })
  const elsewhere = { DATA_DIR: join(dataDir, 'elsewhere') }
  expect((await thunder(ofService, parameters, elsewhere)).said).toContain(elsewhere.DATA_DIR)
})

/** What Thunder is given in its container, when this stands in .env beside the secrets, and this in the shell. */
function environmentInContainer(
  ofFile: Record<string, string> = {},
  ofShell: Record<string, string> = {},
) {
  const known = { ...ofFile, ...ofShell }
  const written = compose.services.thunder!.environment!
  const decided = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      value
        .replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, of: string, other: string) => known[of] || other)
        .replaceAll(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef0123456789abcdef'),
    ]),
  )
  const isRead = compose.services.thunder!.env_file?.includes('.env')
  return { ...(isRead && ofFile), ...decided }
}

test('whatever stands in .env reaches Thunder, but what the compose file decides', async () => {
  const config = readConfig(
    environmentInContainer({
      APP_URL: 'https://school.example',
      SMTP_URL: 'smtps://mail.school.example',
      MAIL_FROM: 'School <hello@school.example>',
      SUPPORT_EMAIL: 'help@school.example',
      SIGNUP: 'closed',
      TRUST_PROXY: 'on',
      STRIPE_SECRET_KEY: 'sk_test_x',
      // The port of the machine, which leads to that of the container.
      PORT: '8080',
      HOST: '127.0.0.1',
      DATA_DIR: '/srv/thunder',
    }),
  )
  expect(config).toMatchObject({
    appUrl: 'https://school.example',
    smtpUrl: 'smtps://mail.school.example',
    mailFrom: 'School <hello@school.example>',
    brand: { supportEmail: 'help@school.example' },
    signUpOpen: false,
    trustProxy: true,
    stripe: { secretKey: 'sk_test_x' },
    port: 3000,
    host: undefined,
    dataDir: '/data',
  })
})

test('no two services of the compose file build the same image', () => {
  const built = Object.values(compose.services).flatMap(({ build, image }) => (build ? image : []))
  expect(built).toEqual(['thunder'])
  expect(compose.services.bucket).toMatchObject({ image: 'thunder' })
})

test('keys and what else the compose file always took from the shell still come from there', () => {
  const ofShell = {
    SMTP_URL: 'smtps://mail.school.example',
    TRUST_PROXY: 'on',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  }
  expect(environmentInContainer({}, ofShell)).toMatchObject(ofShell)
  // What stands in .env is not lost by it.
  expect(environmentInContainer(ofShell)).toMatchObject(ofShell)
})

test('the compose file is a Thunder that would start, with what it depends on', () => {
  const config = readConfig(environmentInContainer())
  expect(new URL(config.databaseUrl!).hostname).toBe('database')
  expect(new URL(config.objectStore!.endpoint!).hostname).toBe('files')
  expect(config.authSecret).toHaveLength(32)
  const services = Object.keys(compose.services)
  for (const [name, { depends_on = {}, volumes = [] }] of Object.entries(compose.services)) {
    for (const other of Object.keys(depends_on)) expect(services, name).toContain(other)
    for (const volume of volumes) {
      expect(Object.keys(compose.volumes), name).toContain(volume.split(':')[0])
    }
  }
})

test('a backup in the container goes to a volume, and is restored before anything runs', async () => {
  const mounted = compose.services.thunder!.volumes!.map((volume) => volume.split(':')[1])
  expect(mounted).toContain('/backups')
  const operations = await readFile('docs/operations.md', 'utf8')
  expect(operations).toContain('compose exec thunder thunder backup /backups/')
  expect(operations).toMatch(/compose run --rm .*thunder thunder restore \/backups\//)
  expect(operations).not.toMatch(/exec thunder thunder restore/)
})

test('the image runs as nobody special, says whether it is well, and copies what is there', async () => {
  const stages = readDockerfile(await readFile('Dockerfile', 'utf8'))
  const image = stages.at(-1)!.steps
  const last = (instruction: string) => image.findLast((step) => step.instruction === instruction)
  expect(last('USER')).toMatchObject({ user: 'node' })
  expect(existsSync(last('HEALTHCHECK')!.command![1]!)).toBe(true)
  expect(last('CMD')).toMatchObject({ command: ['node', 'build/server/index.js'] })
  const unit = await readFile(unitFile, 'utf8')
  expect(unit).toContain('node build/server/index.js')
  for (const { steps } of stages) {
    for (const step of steps) {
      if (step.instruction !== 'COPY' || step.from !== null) continue
      for (const source of step.sources!) expect(existsSync(source), source).toBe(true)
    }
  }
})

test('an instruction that the proof cannot follow is refused', () => {
  expect(() => readDockerfile('FROM debian\nADD x /x')).toThrow('not understood: ADD x /x')
})
