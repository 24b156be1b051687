// What the screens say that are open to everybody: explore, a course, the ways in, and the pages about Thunder.
import type { Page } from '@playwright/test'
import { categories } from '../../src/domains/courses/rules.ts'
import type { Services } from '../../src/server/services.ts'
import { joinCourse, makeCourse, makePerson } from '../factories.ts'
import { expect, hold, hydrated, logInHere, meddle, newcomer, signUpHere, test } from './journey.ts'
import {
  addFilm,
  addThumbnail,
  button,
  enter,
  expectThumbnail,
  furnish,
  heading,
  link,
  main,
  makeBread,
  makeSomebody,
  pageOf,
  playableFilm,
  pressAnyway,
  summary,
} from './screens-world.ts'

/** Only in the summaries of the many courses, so that a search finds them and nothing else. */
const manyWord = 'accordion'

/** As long as the summary of a course can be: more than two lines of a card. */
const longSummary = 'All that dough can do in one night. '.repeat(5).slice(0, 160).trim()

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) })

async function peopleAndCourses(services: Services) {
  const cora = await makeSomebody(services, 'Cora Maker')
  const rex = await makeSomebody(services, 'Rex Reader')
  const many = await makeSomebody(services, 'Manny Courses')

  const bread = await makeBread(services, cora)
  await addThumbnail(services, cora, bread)
  await addFilm(services, cora, bread, 'mix-by-hand', playableFilm)
  for (let member = 1; member <= 3; member++) {
    await joinCourse(services, await makePerson(services), bread)
  }

  const courses = []
  for (let number = 1; number <= 25; number++) {
    courses.push(
      await makeCourse(services, many, {
        title: `Melodies, Part ${number}`,
        shortDescription: `With ${manyWord}.`,
        category: 'Music',
      }),
    )
  }
  await makeCourse(services, many, { title: 'Long Nights', shortDescription: longSummary })
  return { cora, rex, bread, open: courses.at(-1)! }
}

let made: Awaited<ReturnType<typeof peopleAndCourses>>
test.beforeAll(async ({ thunder }) => {
  made = await furnish(thunder, peopleAndCourses)
})

test('explore: more courses, none, and what to do then', async ({ page, thunder }) => {
  await page.goto('/explore')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explore All Courses')
  await expect(page.getByLabel('Category').getByRole('option')).toHaveText(['All', ...categories])
  expect(categories).toHaveLength(16)

  await test.step('12 more at each press, with the same filters', async () => {
    await page.goto(`/explore?search=${manyWord}&category=Music`)
    const cards = page.getByRole('list', { name: 'Courses' }).getByRole('article')
    const more = link(page, 'Load More Courses')
    await expect(cards).toHaveCount(12)
    await more.click()
    await expect(cards).toHaveCount(24)
    await expect(page).toHaveURL(`/explore?search=${manyWord}&category=Music&show=24#course-13`)
    await expect(page.getByPlaceholder('Search for anything')).toHaveValue(manyWord)
    await expect(page.getByLabel('Category')).toHaveValue('Music')
    await more.click()
    await expect(cards).toHaveCount(25)
    await expect(more).toHaveCount(0)
  })

  await test.step('in 3, 2 and 1 columns', async () => {
    const columns = () =>
      page
        .getByRole('list', { name: 'Courses' })
        .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    for (const [width, count] of [
      [1280, 3],
      [768, 2],
      [375, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(columns).toBe(count)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('nothing found, and back to everything', async () => {
    await page.goto(`/explore?search=${manyWord}&category=Cooking`)
    await expect(heading(page, 'No courses found')).toBeVisible()
    await link(page, 'Clear Filters').click()
    await expect(page).toHaveURL('/explore')
    await expect(page.getByRole('list', { name: 'Courses' })).toBeVisible()
  })

  await test.step('the call to action, for strangers and for people who are in', async () => {
    await expect(link(main(page), 'create your own')).toHaveAttribute('href', '/signup')
    await expect(link(main(page), 'Start Creating Today')).toHaveAttribute('href', '/signup')
    await enter(page.context(), made.rex, thunder.url)
    await page.reload()
    await expect(link(main(page), 'create your own')).toHaveAttribute('href', '/create-course')
    await expect(link(main(page), 'Create a Course')).toHaveAttribute('href', '/create-course')
    await expect(main(page).getByText('Start Creating Today')).toHaveCount(0)
  })
})

test('a course on its card and on its public page', async ({ page }) => {
  const { bread, cora } = made
  // Otherwise it would not be a proof that the mark is taken off.
  const { title } = await (await page.request.get(`/rest/v1/courses/${bread.slug}`)).json()
  expect(title).toBe('Bread for Two ⚡')

  await test.step('cards', async () => {
    await page.goto('/explore?search=for Two&category=Cooking')
    // The bread of another file of journeys has the same title.
    const ours = card(page, 'Bread for Two').filter({
      has: page.locator(`a[href="/course/${bread.slug}"]`),
    })
    await expect(ours.getByRole('heading')).toHaveText('Bread for Two')
    await expect(ours.getByText('Cooking', { exact: true })).toBeVisible()
    await expect(ours.getByText('Free', { exact: true })).toBeVisible()
    await expect(ours.getByText(summary)).toBeVisible()
    await expect(ours.getByText('Verified')).toHaveCount(0)
    await expectThumbnail(ours.locator('img'))
    await expect(ours).toContainText('Created by Cora Maker')
    await ours.getByRole('link', { name: 'Cora Maker' }).click()
    await expect(page).toHaveURL(/\/user\/cora-maker/)
    await page.goto('/explore?search=Bootcamp')
    const flagship = card(page, 'Thunder Bootcamp')
    await expect(flagship.getByRole('heading')).toHaveText('Thunder Bootcamp Verified')

    await page.setViewportSize({ width: 375, height: 800 })
    await page.goto('/explore?search=Long Nights')
    const paragraph = card(page, 'Long Nights').getByText(longSummary)
    const { shown, whole } = await paragraph.evaluate((text) => {
      const line = Number.parseFloat(getComputedStyle(text).lineHeight)
      return { shown: text.clientHeight / line, whole: text.scrollHeight / line }
    })
    expect(shown).toBeCloseTo(2, 1)
    expect(whole).toBeGreaterThan(2.5)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('public page', async () => {
    await page.goto(`/course/${bread.slug}`)
    await expect(page).toHaveTitle('Bread for Two · Thunder')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bread for Two')
    const join = page.getByRole('complementary', { name: 'Join this course' })
    await expectThumbnail(join.locator('img'))
    await expect(join.getByText('Free', { exact: true })).toBeVisible()
    await expect(main(page).getByText('Cooking', { exact: true })).toBeVisible()
    await expect(main(page).getByText(`Created by ${cora.name}`)).toBeVisible()
    const units = main(page).getByRole('definition')
    await expect(units).toHaveText(['3', '2', '6'])
    await expect(main(page).getByRole('term')).toHaveText(['Members', 'Chapters', 'Lessons'])
    const inside = page.getByRole('region', { name: 'Lessons Inside:' }).getByRole('listitem')
    await expect(inside).toHaveText([
      // As long as its video.
      'Mix by hand 1 min',
      'Let it rest',
      'Fold it',
      'Shape it',
      'and 2 more',
    ])
    await expect(main(page).getByText('Verified')).toHaveCount(0)
    await link(main(page), 'Back').click()
    await expect(page).toHaveURL('/explore')
    await page.goto('/course/thunder-bootcamp')
    await expect(main(page).getByText('Verified', { exact: true })).toBeVisible()
  })
})

test('logging in and signing up', async ({ page, thunder }) => {
  const { rex } = made
  const problem = main(page).getByRole('alert')
  const password = page.getByLabel('Password', { exact: true })
  await test.step('one form leads to the other', async () => {
    await page.goto('/login?to=/explore')
    await hydrated(page)
    await link(main(page), 'Create an account').click()
    await expect(page).toHaveURL('/signup?to=%2Fexplore')
    await link(main(page), 'Log in').click()
    await expect(page).toHaveURL('/login?to=%2Fexplore')
    // The address changes before the form does.
    await expect(page.getByLabel('Confirm Password')).toHaveCount(0)
  })

  await test.step('a password can be looked at, and hidden again', async () => {
    await button(page, 'Show password').click()
    await expect(password).toHaveAttribute('type', 'text')
    await button(page, 'Hide password').click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  await test.step('both fields are required', async () => {
    await button(page, 'Login').click()
    await expect(problem).toHaveText('Email address is required')
    await page.getByLabel('Email').fill(rex.email)
    await password.fill('   ')
    await button(page, 'Login').click()
    await expect(problem).toHaveText('Password is required')
  })

  await test.step("'Signing in...', once; spaces around do not matter", async () => {
    const { held, letGo } = await hold(page, /\/login\.data/)
    // A field of type email trims by itself; somebody else's program may not.
    await page.getByLabel('Email').evaluate((input) => input.setAttribute('type', 'text'))
    await logInHere(page, { email: `  ${rex.email} `, password: ` ${rex.password}  ` })
    const busy = button(page, 'Signing in...')
    await expect(busy).toBeVisible()
    await expect(page.getByLabel('Email')).toBeDisabled()
    await expect(password).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeDisabled()
    await pressAnyway(busy)
    letGo()
    await expect(page).toHaveURL('/explore')
    expect(held).toHaveLength(1)
  })

  await test.step("'Creating account...', once, and not at all while the database fails", async () => {
    const other = await pageOf(page, thunder)
    await other.goto('/signup')
    await hydrated(other)
    const broken = {
      change: `create function refuse() returns trigger language plpgsql
                 as $$ begin raise exception 'refused for a test'; end $$;
               create trigger refuse before insert on users
                 for each row execute function refuse()`,
      undo: 'drop trigger refuse on users; drop function refuse',
    }
    await meddle(thunder, broken, async () => {
      await signUpHere(other, newcomer('Una Mono'))
      await expect(main(other).getByRole('alert')).toHaveText(
        'There was a temporary issue creating your account. Please try again in a moment.',
      )
    })
    const { held, letGo } = await hold(other, /\/signup\.data/)
    await signUpHere(other, newcomer('Una Mono'))
    const busy = button(other, 'Creating account...')
    await expect(busy).toBeVisible()
    await expect(other.getByLabel('Display Name')).toBeDisabled()
    await pressAnyway(busy)
    await busy.focus()
    await other.keyboard.press('Enter')
    letGo()
    await expect(other).toHaveURL(/\/dashboard$/)
    expect(held).toHaveLength(1)
    await other.context().close()
  })
})

test('joining: refused, busy, and twice', async ({ page, thunder }) => {
  const { open, rex } = made
  await enter(page.context(), rex, thunder.url)
  await page.goto(`/course/${open.slug}`)
  await hydrated(page)
  const second = await pageOf(page, thunder, rex)
  await second.goto(`/course/${open.slug}`)
  await hydrated(second)

  const problem = main(page).getByRole('alert')
  const full = {
    change: `update courses set students_count = 25 where id = '${open.id}'`,
    undo: `update courses set students_count = 0 where id = '${open.id}'`,
  }
  await meddle(thunder, full, async () => {
    await button(page, 'Join Course').click()
    await expect(problem).toHaveText(
      'This course has reached its maximum enrollment limit (25 students for free instructors)',
    )
  })
  const broken = {
    change: `create function refuse() returns trigger language plpgsql
               as $$ begin raise exception 'refused for a test'; end $$;
             create trigger refuse before insert on enrollments
               for each row execute function refuse()`,
    undo: 'drop trigger refuse on enrollments; drop function refuse',
  }
  await meddle(thunder, broken, async () => {
    await button(page, 'Join Course').click()
    await expect(problem).toHaveText('Failed to enroll in course. Please try again.')
  })
  // As when two transactions were in each other's way.
  const undone = {
    ...broken,
    change: broken.change.replace("test';", "test' using errcode = '40001';"),
  }
  await meddle(thunder, undone, async () => {
    await button(page, 'Join Course').click()
    await expect(problem).toHaveText(
      'There was a temporary issue with enrollment. Please try again in a moment.',
    )
  })

  const { held, letGo } = await hold(page, new RegExp(`/course/${open.slug}\\.data`))
  await button(page, 'Join Course').click()
  const busy = button(page, 'Enrolling...')
  await expect(busy).toBeVisible()
  await pressAnyway(busy)
  letGo()
  await expect(page).toHaveURL(`/course/${open.slug}/dashboard`)
  expect(held).toHaveLength(1)

  // The other browser does not know yet.
  await button(second, 'Join Course').click()
  await expect(second).toHaveURL(`/course/${open.slug}/dashboard`)
})

test('About, Terms and Privacy', async ({ page }) => {
  await test.step('About: origin, mission, values, comparison, and the way in', async () => {
    await page.goto('/about')
    await expect(heading(page, 'It began with a list of complaints')).toBeVisible()
    const mission = page.getByRole('region', { name: 'Our mission' })
    await expect(mission).toContainText('Make teaching what you know as ordinary')
    const values = page.getByRole('region', { name: 'The rules we build by' })
    await expect(values.getByRole('heading', { level: 3 })).toHaveText([
      'Tell the truth',
      'Keep what people gave us',
      'Let everybody in',
      'Stay small',
    ])
    const comparison = page.getByRole('table', { name: 'Traditional platforms and Thunder' })
    await expect(comparison.getByRole('columnheader')).toHaveText([
      'Traditional platforms',
      'Thunder',
    ])
    await expect(comparison.getByRole('rowheader')).toHaveCount(8)
    await expect(comparison).toContainText(
      'Free plan: 5% of a sale. Pro, at $20 a month or $200 a year: no transaction fees.',
    )
    await expect(comparison.getByText('no transaction fees')).toHaveCount(1)
    await expect(comparison).toContainText('A small course is up in under 10 minutes.')
    await link(main(page), 'Create your free account').click()
    await expect(page).toHaveURL('/signup')
  })

  await test.step('Terms', async () => {
    await page.goto('/terms')
    const section = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name }) })
    await expect(page.getByText('Effective date: June 29, 2025', { exact: true })).toBeVisible()
    await expect(section('Prohibited courses').getByRole('listitem')).toHaveCount(5)
    await expect(section('Removal of courses')).toContainText('We may hide or remove a course')
    await expect(section('Ending an account')).toContainText(
      'We may suspend or terminate an account',
    )
    await expect(section('Plans')).toContainText('is free for hubs of up to 25 users.')
    await expect(section('Plans')).toContainText('Pro, for $20 a month or $200 a year')
    await expect(section('Who may use it')).toContainText('at least 13 years old')
    await expect(section('Limit of liability')).toContainText(
      'limited to the amounts that you paid to us in the last 12 months',
    )
    await expect(section('Governing law')).toContainText('The law of the State of California')
    await expect(section('Fees on sales')).toContainText(
      'on the Free plan we keep a transaction fee of 5% of each sale. On Pro there is none',
    )
  })

  await test.step('Privacy', async () => {
    await page.goto('/privacy')
    await expect(page.getByText('Effective date: June 29, 2025', { exact: true })).toBeVisible()
    await expect(main(page)).toContainText('at least 13 years old')
    await expect(main(page)).toContainText('California')
  })
})
