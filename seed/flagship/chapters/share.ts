import type { FlagshipChapter } from '../course-shape.ts'
import { a, b, code, doc, h2, i, ol, p, quote, ul } from '../rich-text.ts'

export const shareChapter: FlagshipChapter = {
  title: 'Publish and help people finish',
  lessons: [
    {
      title: 'Walk it like a stranger',
      content: doc(
        p(
          'You are a member of your own course, so you can take it before anybody else does. Open ' +
            'it from your ',
          a('/dashboard', 'dashboard'),
          ', on your phone, and go through every lesson in order. Do not fix anything on the way. ' +
            'Keep a list.',
        ),
        h2('Look for these'),
        ul([
          'Do the lesson titles alone tell the story?',
          'Does the first lesson give people something they can use within ten minutes?',
          'Could you do each step from what is on the screen, and nothing else?',
          'Does every video start with a useful sentence, and can you hear it at half volume?',
          'Does every link open the page that its title promises?',
          'Is there a word that your learner would have to look up? Explain it where it first ' +
            'appears.',
        ]),
        h2('Borrow one person'),
        p(
          'Find somebody who fits your promise and sit beside them while they take the course on ' +
            'your screen. Ask them to think aloud. Then comes the hard part: say nothing. When ' +
            'they stop, write down the lesson and the sentence. When they ask you, answer “what ' +
            'would you do if I were not here?”',
        ),
        p(
          'One person finds most of what matters. Three places where they stopped are worth more ' +
            'than thirty opinions about the colors.',
        ),
        h2('Fix it without fear'),
        p(
          'Rename a lesson, move it to another chapter, add the one that was missing, and press ',
          b('Save Changes'),
          '. Thunder knows a lesson by more than its title and its place. After publishing you can ' +
            'do the same, and everybody who completed that lesson still has it completed.',
        ),
        h2('When is it ready?'),
        p(
          'When a stranger can keep the promise with it. The commuter gets home: publish. You will ' +
            'always see a lesson that could be better, and the people who take it will tell you ' +
            'which one it really is. A draft teaches nobody, and least of all its maker.',
        ),
      ),
      links: [
        {
          title: 'Your dashboard',
          url: '/dashboard',
          description: 'Open your course from here, as a learner or to edit it.',
        },
      ],
    },
    {
      title: 'Publish it free',
      content: doc(
        p('Open your course for editing and press ', b('Publish'), '. From that moment:'),
        ul([
          ['It is listed on ', a('/explore', 'Explore'), ', where anybody can find it.'],
          'Its page opens for everybody, signed in or not: title, picture, description and the ' +
            'first titles under “Lessons Inside:”.',
          'The lessons themselves, videos included, are for the people who join.',
        ]),
        p(
          'A visitor without an account sees ',
          b('Sign Up to Join'),
          '. After signing up they come back to your course, not to some front page, and press ',
          b('Join Course'),
          '.',
        ),
        h2('Why free, and why now'),
        p(
          'A first course has not earned a price yet, and that is fine. You need three things that ' +
            'come sooner when it is free: people who reach the end, the questions they ask on the ' +
            'way, and proof that your promise holds. With those in hand, setting a price for a ' +
            'later course is easy. Without them it is a guess.',
        ),
        p(
          'On the free plan a course takes up to 25 learners, and you are not counted as one. ' +
            'That is plenty for a first round, and few enough that you can write to every one.',
        ),
        h2('Read your page as a visitor'),
        p('Open the page in a private window, where you are signed out, and check three things:'),
        ol([
          'Does the first sentence say who it is for?',
          'Does the picture still say something on a phone?',
          'Are the lesson titles on the page ones that you would click?',
        ]),
        h2('Take the link'),
        p('Copy the address of that page. It stays short and readable:'),
        code('/course/fix-a-flat-at-the-roadside'),
        p(
          'Send it to yourself first, in the chat that you use most. Most chat apps show your ' +
            'title, your description and your picture as a preview, because the page offers them. ' +
            'If the preview makes you wince, change it now. It is the first thing that your ' +
            'learners will see.',
        ),
        p(
          'Publish before you feel ready, and tell nobody until tomorrow. A night between the two ' +
            'is cheap, and mistakes are easier to see in the morning.',
        ),
      ),
      links: [
        {
          title: 'Explore courses',
          url: '/explore',
          description: 'Find your own course here after you publish it.',
        },
      ],
    },
    {
      title: 'Get your first ten learners',
      content: doc(
        p(
          'Ten people is a number that you can reach with messages, in an afternoon, without being ' +
            'famous. It is also enough to find out whether the course works.',
        ),
        h2('Ask by name'),
        p(
          'Make a list of twenty people. Begin with everybody who ever asked you the question, ' +
            'then those you would invite if this were an evening class: the club, old colleagues, ' +
            'neighbors. Write to each one separately:',
        ),
        quote(
          'Hi Maya, in spring you asked me how to fix a flat. I made a short course about exactly ' +
            'that: six lessons, about half an hour, free. Would you try it before Sunday and tell ' +
            'me where you got stuck? Here is the link.',
        ),
        p(
          'It says why ',
          i('her'),
          ', what it is, how long it takes and what it costs. It asks for one thing and gives a ' +
            'day. And it asks where she got stuck instead of whether she liked it, so the answer ' +
            'will be useful.',
        ),
        h2('Go where the question is asked'),
        p(
          'Somewhere people ask your question every week: a forum, a club’s group, the counter of ' +
            'a shop. Read the rules of the place. Answer the person in front of you properly, ' +
            'right there, and put the link after the answer for those who want all of it. A good ' +
            'answer goes on bringing people for years. A bare link is gone in an hour.',
        ),
        h2('Put the link where you already are'),
        ul([
          'In your email signature, with your promise as the words.',
          'In the profile that people look at after they read something of yours.',
          'On paper. A card in a saddle bag finds commuters better than a post.',
        ]),
        h2('Leave these alone'),
        p(
          'Bought followers, messages to strangers by the hundred, tagging people who did not ask. ' +
            'They bring numbers that do not learn, and cost you the people who might have.',
        ),
        h2('Count on paper'),
        p(
          'Three columns: asked, joined, finished. Ten asked and one joined: look at your message ' +
            'and your page. Ten joined and one finished: look at the course, which is what the ' +
            'last lesson is about.',
        ),
      ),
      links: [],
    },
    {
      title: 'Help people finish',
      content: doc(
        p(
          'Starting a course is easy, and most people who start one online never reach the end. ' +
            'Across ',
          a('https://doi.org/10.19173/irrodl.v16i3.2112', '221 open online courses'),
          ', the middle one was completed by 12.6 percent of the people enrolled, and the first ' +
            'two weeks were the ones that mattered. Yours is shorter and has a person behind it. ' +
            'Use both.',
        ),
        h2('What Thunder does'),
        p(
          'It brings people back to the second of the video where they stopped, on any device. It ' +
            'counts: ',
          i('4 of 6 lessons completed'),
          '. And it says so in words, from ',
          i('Get Started'),
          ' and ',
          i('Keep Going!'),
          ' to ',
          i('Course Completed!'),
        ),
        h2('What only you can do'),
        ol([
          [b('Pay early.'), ' Ten minutes after joining, they should have done something real.'],
          [
            b('Put help before the hard part.'),
            ' You know which lesson it is. Say in the lesson before it what is coming and how ' +
              'long it took you the first time.',
          ],
          [
            b('End each lesson with one small action'),
            ' and the name of the next lesson. Momentum is mostly knowing what comes next.',
          ],
          [
            b('Write after three days.'),
            ' Ask “where did you stop?” It is a question about the course. “Why did you not ' +
              'finish?” is one about them, and nobody answers it.',
          ],
        ]),
        h2('Change the lesson, not the learner'),
        p(
          'When three people stop at the same place, the place is wrong. Split the lesson, film ' +
            'the step again from over your shoulder, link to a photo of the part they missed. Rename it and move it ' +
            'as you like: completed lessons stay completed. A lesson that you add counts as one ' +
            'more to do, so tell people that it is there and why.',
        ),
        h2('What counts as finished'),
        p(
          'The commuter who fixed a tire after lesson five and never opened lesson six has finished. ' +
            'The promise was the ride home. Ask people for a photo of it. It will do more for your ' +
            'next course than any number.',
        ),
        h2('Your turn'),
        p(
          'This is the last lesson. Press ',
          b('Mark Complete'),
          ', look at your own full progress bar for a moment, and then send the first of your ten ' +
            'messages.',
        ),
      ),
      links: [
        {
          title: 'Create a course',
          url: '/create-course',
          description: 'If you have been reading ahead, this is the moment.',
        },
        {
          title: 'Explore courses',
          url: '/explore',
          description: 'Take a course by somebody else and watch what keeps you going.',
        },
      ],
    },
  ],
}
