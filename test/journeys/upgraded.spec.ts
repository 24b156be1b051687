// A page that is open while Thunder is upgraded, and one that a node of another version has made.
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { freePort } from './free-port.ts'
import { complaintsOf, hydrated, signedUp } from './journey.ts'
import { type Node, startNode } from './node.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** This build as if it were of another version: none of its scripts has a name that it had. */
async function otherVersion(folder: string) {
  for (const name of await readdir(root)) {
    if (name !== 'build') await symlink(join(root, name), join(folder, name))
  }
  await cp(join(root, 'build'), join(folder, 'build'), { recursive: true })
  const assets = join(folder, 'build/client/assets')
  const names = await readdir(assets)
  const manifest = names.find((name) => /^manifest-[\da-f]{8}\.js$/.test(name))!
  const version = manifest.slice('manifest-'.length, -'.js'.length)
  for (const name of names) if (/\.js(\.br|\.gz)?$/.test(name)) await rm(join(assets, name))
  await writeFile(join(assets, 'other-12345678.js'), 'export {}')
  const server = join(folder, 'build/server')
  for (const name of await readdir(server, { recursive: true })) {
    if (!name.endsWith('.js')) continue
    const script = await readFile(join(server, name), 'utf8')
    if (!script.includes(`"${version}"`)) continue
    await writeFile(join(server, name), script.replaceAll(`"${version}"`, '"00000000"'))
  }
}

test('an open page works on after an upgrade, and one of another version has its files', async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-upgrade-'))
  const nodes: Node[] = []
  try {
    await otherVersion(folder)
    const port = await freePort()
    const environment = {
      DATA_DIR: await mkdtemp(join(folder, 'data-')),
      APP_URL: `http://localhost:${port}`,
      FFMPEG_PATH: 'off',
      DRAIN_SECONDS: '0',
    }
    const before = await startNode(port, environment)
    nodes.push(before)
    const context = await browser.newContext({ baseURL: before.url })
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await signedUp(page.request, 'Ursula Upgrade')
    await page.goto('/dashboard')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isOpenSinceBefore: true }))

    await before.stop()
    const after = await startNode(port, environment, folder)
    nodes.push(after)
    // What nobody has used on this page comes now: code, calls, and routes.
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Notifications/ })
      .click()
    const panel = page.getByRole('dialog', { name: 'Notifications' })
    await expect(panel.getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('link', { name: 'Settings' }).press('Enter')
    await expect(page).toHaveURL('/settings')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(
      await page.evaluate(() => 'isOpenSinceBefore' in window),
      'nothing was loaded anew',
    ).toBe(true)

    // This page names files of the former build, as one of the next build does that asks a node of this one.
    await page.goto('/explore')
    await hydrated(page)
    expect(complaints).toEqual([])
    await context.close()
    expect(after.said()).not.toContain('"level":50')
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await rm(folder, { recursive: true, force: true })
  }
})
