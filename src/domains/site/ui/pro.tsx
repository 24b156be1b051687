// What Pro is, benefit by benefit (spec 1, section 1 and 9), each with the place where it is found.
import type { ComponentProps, ReactNode } from 'react'
import { Link, useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { catalogue, feePercents } from '../../billing/rules.ts'
import { annualSaving, shortMoney } from '../../billing/ui/plan-words.ts'
import { UpgradeButton } from '../../billing/ui/upgrade-link.tsx'
import { limits } from '../../courses/rules.ts'
import { brand } from '../brand.ts'
import { FeeExample, paysForItself } from './fee-example.tsx'
import { pageMeta } from './page-meta.ts'
import { Example, ProBenefit } from './pro-benefit.tsx'
import { Screenshot } from './screenshot.tsx'

export const meta = () =>
  pageMeta(
    'Pro',
    `What ${brand.name} Pro is, in full: no share of your sales, no limits, and each of its benefits ` +
      'with the place where you find it.',
    { path: '/pro' },
  )

export const handle = { still: true }

const contents = [
  ['fees', '0% fees'],
  ['unlimited', 'Unlimited courses and students'],
  ['analytics', 'Advanced analytics'],
  ['support', 'Priority support'],
  ['branding', 'Custom course branding'],
  ['community', 'Advanced community features'],
  ['export', 'Export of student data'],
  ['challenges', 'Monthly challenges and giveaways'],
] as const

export default function Pro() {
  return (
    <article className="page-width">
      <header className="py-12 lg:py-20">
        <Badge tone="spark">PRO</Badge>
        <h1 className="mt-4 max-w-[20ch] text-5xl font-extrabold">
          No share of your sales, and no limits.
        </h1>
        <p className="mt-6 max-w-[40rem] text-lg text-pretty text-muted lg:text-xl lg:leading-8">
          {brand.name} Pro is for creators whose courses have grown out of the Free plan. This is
          all of it, with the place where you find each part.
        </p>
        <Price />
        <div className="mt-6">
          <Offer />
        </div>
        <nav aria-label="Benefits" className="mt-10">
          <ul className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4">
            {contents.map(([id, title]) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block py-2 font-medium text-primary underline underline-offset-4"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <Benefits />
      <div className="border-t py-14 text-center lg:py-20">
        <Closing />
        <p className="mx-auto mt-4 mb-7 max-w-[38rem] text-lg text-pretty text-muted">
          You can cancel at any time, and keep Pro until the end of what you paid for. Afterwards
          your courses and students stay; the limits of the Free plan apply to new ones.
        </p>
        <Offer />
      </div>
    </article>
  )
}

function Closing() {
  const isPro = useRouteLoaderData<typeof loader>('root')?.me?.plan === 'pro'
  return (
    <h2 className="text-4xl">
      {isPro ? 'All of this is yours.' : 'Start free. Change when it pays.'}
    </h2>
  )
}

function Price() {
  const { monthly, annual } = catalogue
  const saving = annualSaving()
  return (
    <p className="mt-8 text-lg">
      <strong className="font-display text-4xl font-extrabold tabular-nums">
        {shortMoney(monthly.amount, monthly.currency)}
      </strong>{' '}
      a month, or{' '}
      <strong className="tabular-nums">{shortMoney(annual.amount, annual.currency)}</strong> a year:{' '}
      {saving.monthsFree} months free.
    </p>
  )
}

/** The next step, which is another one for strangers, for people on the Free plan and for Pro. */
function Offer() {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  if (me?.plan === 'pro') {
    return (
      <Banner
        tone="success"
        action={
          <ButtonLink to="/billing" variant="secondary" size="sm">
            Billing
          </ButtonLink>
        }
      >
        You have access to all Pro features.
      </Banner>
    )
  }
  if (me) return <UpgradeButton />
  return (
    <ButtonLink to="/signup" size="lg">
      Get Started Free
    </ButtonLink>
  )
}

const titleOf = new Map<string, string>(contents)

type Place = ComponentProps<typeof ProBenefit>['place']
type BenefitProps = {
  id: (typeof contents)[number][0]
  place: Place
  example: ReactNode
  children: ReactNode
}

const Benefit = ({ id, ...rest }: BenefitProps) => (
  <ProBenefit id={id} title={titleOf.get(id) ?? ''} {...rest} />
)

const shotSizes = '(min-width: 80rem) 42rem, (min-width: 64rem) 55vw, 94vw'

function Benefits() {
  const { currency } = catalogue.monthly
  return (
    <>
      <Benefit id="fees" place={{ to: '/payments', name: 'Payments' }} example={<FeeExample />}>
        <p>
          On the Free plan we keep {feePercents.free}% of each sale. With Pro it is{' '}
          {feePercents.pro}%, from the first sale after you upgrade. Only the payment processor
          still takes a fee.
        </p>
        <p>
          Above {shortMoney(paysForItself, currency)} of sales a month, that alone is worth more
          than Pro costs.
        </p>
      </Benefit>
      <Benefit
        id="unlimited"
        place={{ to: '/create-course', name: 'Create Course' }}
        example={
          <Example title="An example: a pottery teacher, in her second year">
            <p className="text-muted">
              “Throwing for Beginners” has more students than her studio has wheels. Beside it stand
              “Glazes”, which takes members by application, and next spring’s course as a draft. On
              the Free plan there would be the first one, with {limits.freePlanStudents} students.
            </p>
          </Example>
        }
      >
        <p>
          The Free plan holds {limits.freePlanCourses} course with up to {limits.freePlanStudents}{' '}
          students. With Pro there is no limit on either, drafts and copies included.
        </p>
      </Benefit>
      <Benefit
        id="analytics"
        place={{ to: '/analytics', name: 'Creator Analytics' }}
        example={
          <Screenshot
            name="analytics"
            alt="Creator Analytics with Pro: bar charts of active learners and of completed lessons, week by week."
            sizes={shotSizes}
          />
        }
      >
        <p>
          Revenue, enrollments, active learners, completions and what is written, over time; revenue
          course by course; and at which lesson people stop. Everything also as a table, and as a
          file.
        </p>
      </Benefit>
      <Benefit
        id="support"
        place={{ to: '/support', name: 'Support' }}
        example={
          <Example title="An example: two requests on the same morning">
            <p className="text-muted">
              Somebody asks at eight how to change a picture. You ask at nine why a payout is late.
              Yours stands above theirs in the list that we work through.
            </p>
          </Example>
        }
      >
        <p>
          Everybody can write to us. Requests of Pro creators come to the top of the list, before
          all others that wait.
        </p>
      </Benefit>
      <Benefit
        id="branding"
        place={{ to: '/dashboard#created-courses', name: 'Branding', within: 'at your course' }}
        example={
          <Example title="An example: the pottery course, in its own clothes">
            <p className="text-muted">
              Clay red for its buttons and links, the studio’s mark beside the title, a wide
              photograph of the kiln on top. The certificate says “Made with these hands” and is
              signed by the teacher.
            </p>
          </Example>
        }
      >
        <p>
          A course’s own color, logo and cover, and a certificate with your heading, your words and
          your name below them. Colors are adjusted where text would be hard to read on them.
        </p>
      </Benefit>
      <Benefit
        id="community"
        place={{ to: '/dashboard#created-courses', name: 'Discussion', within: 'in your course' }}
        example={
          <Screenshot
            name="community"
            alt="The discussion of a course: two members’ posts, with likes and comments."
            sizes={shotSizes}
          />
        }
      >
        <p>Every course has its discussion. With Pro, its creator has in it:</p>
        <ul className="grid list-disc gap-1 pl-5">
          <li>channels, so that “Show your work” is not lost among questions;</li>
          <li>polls;</li>
          <li>posts for later, published at the time that you set;</li>
          <li>announcements, which tell every member.</li>
        </ul>
      </Benefit>
      <Benefit
        id="export"
        place={{ to: '/analytics', name: 'Creator Analytics', within: 'Export students' }}
        example={
          <Example title="The columns of the file">
            <p className="text-muted">
              Name, email, course, joined, completed lessons, lessons, progress, last active day,
              paid, how, coupon.
            </p>
          </Example>
        }
      >
        <p>
          Who is in your courses, how far they are and what they paid, as a CSV file that any
          spreadsheet opens; of all courses or of one.
        </p>
      </Benefit>
      <Benefit
        id="challenges"
        place={{ to: '/challenges', name: 'Challenges' }}
        example={
          <Example title="How a winner is drawn">
            <p className="text-muted">
              Before the draw we publish the list of entries and a fingerprint of the number that
              decides. Afterwards we publish the number itself. Anybody can compute the winner again
              from them.
            </p>
          </Example>
        }
      >
        <p>
          Prizes that Pro creators can win with a course of theirs. Rules, period and prize stand on
          the page of each challenge, and so does its winner.
        </p>
      </Benefit>
      <p className="border-t py-6 text-sm text-muted">
        The{' '}
        <Link to="/terms#plans" className="text-primary underline underline-offset-4">
          terms
        </Link>{' '}
        say what each plan includes.
      </p>
    </>
  )
}
