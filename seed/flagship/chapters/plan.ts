import type { FlagshipChapter } from '../course-shape.ts'
import { a, b, doc, h2, i, ol, p, quote, s, u, ul } from '../rich-text.ts'

export const planChapter: FlagshipChapter = {
  title: 'Decide what to teach',
  lessons: [
    {
      title: 'Welcome: what you will make',
      video: 'welcome',
      content: doc(
        p(
          'This is a short course about making a short course. Work through it and, at the end, ' +
            'one that you made is published at its own address, and ten people have had a ' +
            'message from you about it.',
        ),
        h2('How Thunder is put together'),
        ul([
          [b('A course'), ' has a title, a picture and a page of its own.'],
          [b('Chapters'), ' are its parts, in order. Each one is a good place to stop.'],
          [
            b('Lessons'),
            ' do one thing each: with text, with a video, with links, or with any mix of them.',
          ],
        ]),
        p(
          'While you work, the course is a draft and only you can see it. Press ',
          b('Publish'),
          ' and everybody can find it.',
        ),
        h2('What you will do'),
        ol([
          [
            b('Decide.'),
            ' One sentence that says what you teach to whom, and an outline on a page.',
          ],
          [b('Make.'), ' Lessons that are written, recorded with what you have, and uploaded.'],
          [b('Share.'), ' A check by a stranger, the Publish button, and your first ten learners.'],
        ]),
        p('Plan on two or three evenings, most of them spent recording.'),
        h2('How to take this course'),
        p(
          'Keep a second tab open. Read a lesson here, do the same thing in ',
          i('your'),
          ' course there, come back and press ',
          b('Mark Complete'),
          '. That moves the progress bar on your dashboard. If you stop in the middle of a video, ' +
            'Thunder remembers the second, and you carry on from it on whichever device you open ' +
            'next.',
        ),
        p(
          'One example runs through every lesson: a course called ',
          i('Fix a Flat at the Roadside'),
          ', by somebody who repairs bicycles. Swap in what you know. Baking, bookkeeping and ' +
            'bass guitar all go through the same steps.',
        ),
        p(
          'The video above shows the whole path in a little over a minute. It has no speech, so you ' +
            'can watch it without sound.',
        ),
      ),
      links: [
        {
          title: 'Create a course',
          url: '/create-course',
          description: 'Open this in a second tab and keep it there while you read.',
        },
        {
          title: 'Your dashboard',
          url: '/dashboard',
          description: 'The courses you take and the courses you make, with your progress.',
        },
      ],
    },
    {
      title: 'Choose a promise you can keep',
      content: doc(
        p(
          'Nobody takes a course because of its subject. People take it because of what they will ' +
            'be able to do afterwards. So do not start with a topic. Start with this sentence:',
        ),
        quote(
          'After this course, ',
          b('a particular person'),
          ' can ',
          b('do one thing'),
          ', and knows it worked because ',
          b('of something they can see'),
          '.',
        ),
        p('Filled in, for our example:'),
        ul([
          [s('Bicycle maintenance for everyone')],
          [
            'After this course, a commuter who has never taken a wheel off can fix a flat tire at ' +
              'the roadside, and knows it worked because they ride home.',
          ],
        ]),
        p(
          'The first is a shelf in a library. The second is a course: you can see who it is for, ' +
            'and everybody will agree on whether it worked.',
        ),
        h2('Three tests'),
        ol([
          [
            b('You have done it often,'),
            ' and at least once you helped somebody else to do it. Helping is where you learn ' +
              'which part is hard.',
          ],
          [b('They can do it within a week'), ' of starting, with things they own or can borrow.'],
          [b('They can tell without you'), ' whether it worked.'],
        ]),
        h2('Where to find yours'),
        p(
          'Look through your messages for the question that you have answered three times. The ' +
            'third answer, the long patient one, is your course.',
        ),
        h2('Now make it smaller'),
        p(
          'First courses are nearly always too big. ',
          a('https://doi.org/10.19173/irrodl.v16i3.2112', 'A study of 221 open online courses'),
          ' found that the longer a course was, the fewer people completed it. Aim for ',
          u('one'),
          ' person, ',
          u('one'),
          ' result and five to eight lessons. You can add lessons later, and the people who ' +
            'already joined keep their progress when you do.',
        ),
        p(
          'A free account holds one course, drafts included. Make it the one that you would like ' +
            'to be asked about first.',
        ),
        h2('Do this now'),
        p(
          'Write your sentence. Send it to one person who could be that learner and ask: “What ' +
            'would you expect to be able to do afterwards?” If the answer surprises you, change ' +
            'the sentence, not the person.',
        ),
      ),
      links: [
        {
          title: 'Jordan (2015), Massive Open Online Course Completion Rates Revisited',
          url: 'https://doi.org/10.19173/irrodl.v16i3.2112',
          description: 'The study behind “make it smaller”, free to read.',
        },
      ],
    },
    {
      title: 'Outline it on one page',
      content: doc(
        p(
          'An outline written from the start tends to begin with history and end in a hurry. ' +
            'Write yours from the end.',
        ),
        h2('Work backwards'),
        p(
          'Picture the moment when the promise comes true. That is your last lesson. Then ask ' +
            'what a person must be able to do just before it, and just before that, until you ' +
            'reach something your learner can do already. For the flat tire, that gives:',
        ),
        ol([
          'Find out which tube fits your tire',
          'Pack four things in a saddle bag',
          'Take the wheel off',
          'Find the hole, and what made it',
          'Fit the new tube',
          'Put the wheel back, ride home',
        ]),
        p(
          'Read only the titles, top to bottom. If they sound like instructions, the outline is ' +
            'sound. Your course page lists lesson titles too, so this is also how strangers will ' +
            'judge it.',
        ),
        h2('Keep each lesson to one thing'),
        ul([
          'Start the title with a verb. “Tubes” is a topic, “Find out which tube fits” is a lesson.',
          'An “and” between two big verbs usually means two lessons.',
          [
            'If there is a video, keep it under six minutes. That was the advice of ',
            a('https://doi.org/10.1145/2556325.2566239', 'a study of 6.9 million viewing sessions'),
            ', after it found that people stay with short videos far better.',
          ],
          'End with something to do, so that the learner finds out whether they got it.',
        ]),
        h2('Group lessons into chapters'),
        p(
          'With more than four or five lessons, make chapters. Name each for the situation it ' +
            'belongs to. Ours has two: ',
          i('Before you ride'),
          ' (lessons 1 and 2) and ',
          i('At the roadside'),
          ' (3 to 6).',
        ),
        h2('Cut once, then mark the rest'),
        p(
          'Cross out every lesson that the promise survives without. ',
          s('A short history of the rubber tire'),
          ' goes first. Then write a letter beside each lesson that is left: ',
          b('V'),
          ' where movement matters (hands, a screen, a sound), and ',
          b('T'),
          ' where text is better (sizes, shopping lists, anything people will copy). Most courses ' +
            'need fewer videos than their makers think.',
        ),
        p('One page is enough. If it runs over, the promise is still too big.'),
      ),
      links: [
        {
          title: 'Guo, Kim and Rubin (2014), How Video Production Affects Student Engagement',
          url: 'https://doi.org/10.1145/2556325.2566239',
          description: 'What kept people watching in four large online courses, and what did not.',
        },
      ],
    },
  ],
}
