import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { catalogue, feePercents } from '../../billing/rules.ts'
import { shortMoney } from '../../billing/ui/plan-words.ts'
import { brand } from '../brand.ts'
import { pageMeta } from './page-meta.ts'

export const meta = () =>
  pageMeta(
    'About',
    `Where ${brand.name} comes from, what it is for, the rules it is built by, and how it compares ` +
      'with traditional course platforms.',
    { path: '/about' },
  )

export const handle = { still: true }

const { monthly, annual } = catalogue
const perMonth = shortMoney(monthly.amount, monthly.currency)
const perYear = shortMoney(annual.amount, annual.currency)

export default function About() {
  return (
    <article>
      <header className="page-width pt-14 pb-10 lg:pt-20 lg:pb-12">
        <p className="flex items-center gap-2 font-semibold text-primary">
          <LightningMark className="size-5" />
          About {brand.name}
        </p>
        <h1 className="mt-4 max-w-[22ch] text-5xl font-extrabold">
          Most people know something that somebody else needs.
        </h1>
        <p className="mt-6 max-w-[40rem] text-lg text-pretty text-muted lg:text-xl lg:leading-8">
          {brand.name} is for passing it on: a course made by one person, in chapters and lessons,
          that another person can follow to the end.
        </p>
      </header>
      <Origin />
      <Mission />
      <Values />
      <Comparison />
      <Invitation />
    </article>
  )
}

function Origin() {
  return (
    <section
      aria-labelledby="origin"
      className="page-width grid gap-x-16 gap-y-10 pb-14 lg:grid-cols-[7fr_5fr] lg:pb-20"
    >
      <div className="prose">
        <h2 id="origin" className="text-3xl">
          It began with a list of complaints
        </h2>
        <p>
          Before we wrote any of {brand.name}, we read. Not brochures: the issue trackers, help
          forums and wish lists of the course platforms that exist already, where the people who
          make and take courses say in their own words what went wrong.
        </p>
        <p>
          There was an upload that reported success after zero seconds and had stored nothing. A
          progress bar that forgot. A payment that went through, and a course that stayed closed. A
          guide to moving away from one large platform, which told people to set aside 35 to 55
          hours.
        </p>
        <p>
          None of it was exotic, and hardly any of it was new. The same few sentences came back year
          after year, in different products, from people who only wanted to teach a class. So we
          wrote those sentences down, turned each one around, and started to build from there.
        </p>
      </div>
      <figure className="self-center rounded-card border border-line bg-surface p-6 sm:p-8">
        <figcaption className="font-semibold">The list, turned around</figcaption>
        <dl className="mt-5 grid gap-5">
          <Turned was="Uploads that only say they worked">
            Nothing says done before it is done.
          </Turned>
          <Turned was="Progress that forgets">Watched means remembered.</Turned>
          <Turned was="Payments that open nothing">Paid means enrolled.</Turned>
          <Turned was="Walls around your own work">Leave any time, with what is yours.</Turned>
        </dl>
      </figure>
    </section>
  )
}

function Turned({ was, children }: { was: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{was}</dt>
      <dd className="mt-1 flex items-start gap-2 font-display text-xl font-bold">
        <span aria-hidden className="mt-3 h-0.5 w-5 shrink-0 rounded-full bg-primary" />
        {children}
      </dd>
    </div>
  )
}

function Mission() {
  return (
    <section aria-labelledby="mission" className="border-y border-line bg-surface">
      <div className="page-width py-14 lg:py-20">
        <h2 id="mission" className="text-lg text-muted">
          Our mission
        </h2>
        <p className="mt-3 max-w-[27ch] font-display text-4xl font-bold text-balance lg:text-5xl">
          Make teaching what you know as ordinary as writing it down, and finishing a course the
          usual way for it to end.
        </p>
        <p className="mt-6 max-w-[44rem] text-lg text-muted">
          A course helps nobody while it is a plan, and not much while it is half watched. So we
          work on two moments above all: the one in which somebody presses Publish for the first
          time, and the one in which somebody else reaches the last lesson.
        </p>
      </div>
    </section>
  )
}

function Values() {
  return (
    <section aria-labelledby="values" className="page-width py-14 lg:py-20">
      <h2 id="values" className="text-4xl">
        The rules we build by
      </h2>
      <p className="mt-4 max-w-[44rem] text-lg text-muted">
        These are our values, put so that you can check them. When we have to choose between a new
        feature and one of these, the rule wins.
      </p>
      <div className="mt-10 grid gap-x-12 gap-y-10 sm:grid-cols-2">
        <Value name="Tell the truth">
          A progress bar shows what has arrived. A number on the screen has been counted. An error
          says what happened and what to do next. And no page lists a feature before you can use it.
        </Value>
        <Value name="Keep what people gave us">
          A completed lesson stays completed, whatever its author renames or moves. What a creator
          puts in remains the creator’s own. An interrupted upload is not a lost afternoon.
        </Value>
        <Value name="Let everybody in">
          Course pages open quickly on an old phone and can be read without an account and without
          scripts. Every screen works with a keyboard, in a light and in a dark theme.
        </Value>
        <Value name="Stay small">
          {brand.name} runs on one machine with no outside service, and its source is open under the
          MIT license. What is small can be understood, repaired and owned by the people who depend
          on it.
        </Value>
      </div>
    </section>
  )
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-t-2 border-ink pt-4">
      <h3 className="text-2xl">{name}</h3>
      <p className="mt-2 max-w-[36rem] text-muted">{children}</p>
    </div>
  )
}

const differences = [
  {
    about: 'Getting started',
    traditional: 'A trial that turns into a monthly bill, often before the first learner.',
    ours: 'A free account, without a card: one course and up to 25 learners, for as long as you like.',
  },
  {
    about: 'The first course',
    traditional: 'Themes, funnels and settings come before the first lesson.',
    ours: 'A title, a chapter, a lesson, Publish. A small course is up in under 10 minutes.',
  },
  {
    about: 'What selling costs',
    traditional: 'A monthly price, a share of every sale, or both.',
    ours: `Free plan: ${feePercents.free}% of a sale. Pro, at ${perMonth} a month or ${perYear} a year: no transaction fees.`,
  },
  {
    about: 'Changing a live course',
    traditional: 'Move or rewrite a lesson, and learners’ progress can go with it.',
    ours: 'Rename, move and add. Completed lessons stay completed.',
  },
  {
    about: 'Stopping halfway',
    traditional: 'You search for the place where you were.',
    ours: 'You continue at the second where you stopped, on any device.',
  },
  {
    about: 'Uploading video',
    traditional: 'When the connection drops, you start again.',
    ours: 'The upload carries on where it stopped, and the percent you see has arrived.',
  },
  {
    about: 'Who is watching',
    traditional: 'Analytics and advertising scripts from other companies.',
    ours: 'None. Cookies are for signing in, and for keeping your account safe.',
  },
  {
    about: 'Where it runs',
    traditional: 'On the vendor’s servers, for as long as the vendor likes.',
    ours: 'Here, or on a machine of yours. The source is open.',
  },
]

/** Each subject heads a group of its own, so the same table fits a phone and a wide window. */
function Comparison() {
  return (
    <section aria-labelledby="comparison" className="border-t border-line">
      <div className="page-width py-14 lg:py-20">
        <h2 id="comparison" className="text-4xl">
          Traditional platforms and {brand.name}
        </h2>
        <p className="mt-4 max-w-[44rem] text-lg text-muted">
          The left side sums up what people report about hosted course platforms in general. Yours
          may do better on some lines.
        </p>
        <div className="mt-8 overflow-hidden rounded-card border border-line bg-surface">
          <table aria-labelledby="comparison" className="w-full table-fixed text-left align-top">
            <thead>
              <tr className="align-bottom">
                <th scope="col" className="px-4 py-4 font-semibold text-muted sm:px-6">
                  Traditional platforms
                </th>
                <th scope="col" className="border-l border-line px-4 py-4 font-semibold sm:px-6">
                  <LightningMark className="mr-2 inline size-5 align-[-0.25em]" />
                  {brand.name}
                </th>
              </tr>
            </thead>
            {differences.map(({ about, traditional, ours }) => (
              <tbody key={about} className="align-top">
                <tr className="border-y border-line bg-wash">
                  <th
                    scope="rowgroup"
                    colSpan={2}
                    className="px-4 py-2.5 font-display text-base font-bold sm:px-6"
                  >
                    {about}
                  </th>
                </tr>
                <tr className="text-sm sm:text-base">
                  <td className="px-4 py-4 text-muted sm:px-6">{traditional}</td>
                  <td className="border-l border-line px-4 py-4 font-medium sm:px-6">
                    <span className="flex gap-3">
                      <Check
                        aria-hidden
                        className="mt-0.5 hidden size-5 shrink-0 text-success sm:block"
                        strokeWidth={2.5}
                      />
                      {ours}
                    </span>
                  </td>
                </tr>
              </tbody>
            ))}
          </table>
        </div>
        <p className="mt-4 max-w-[48rem] text-sm text-muted">
          Prices in US dollars. Card processors charge their own fee on top.
        </p>
      </div>
    </section>
  )
}

function Invitation() {
  return (
    <section aria-labelledby="invitation" className="border-t border-line bg-primary-soft">
      <div className="page-width flex flex-col items-start gap-8 py-14 lg:flex-row lg:items-center lg:justify-between lg:py-20">
        <div>
          <h2 id="invitation" className="text-4xl">
            Somebody is looking for what you know
          </h2>
          <p className="mt-3 max-w-[40rem] text-lg text-muted">
            Sign up, and the first course you are in is the one that helps you to make yours.
          </p>
        </div>
        <div className="flex shrink-0 flex-wrap gap-3">
          <ButtonLink to="/signup" size="lg">
            Create your free account
          </ButtonLink>
          <ButtonLink to="/explore" variant="secondary" size="lg">
            Explore courses
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
