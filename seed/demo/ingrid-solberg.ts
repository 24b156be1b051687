import type { DemoCreator } from './demo-shape.ts'

export const ingridSolberg: DemoCreator = {
  name: 'Ingrid Solberg',
  bio: 'Physiotherapist and slow runner from Bergen. Small loads, often.',
  verified: true,
  courses: [
    {
      title: 'From the Sofa to a Calm 5K',
      shortDescription:
        'Nine weeks, three outings a week, at a speed at which you can tell a story.',
      description: `Most beginners run too fast, hurt something in week three and stop. This plan is slower than you expect and gets you to thirty minutes without a break.

If you have a heart condition or have not moved for years, talk to your doctor first. Everybody else needs shoes that fit.`,
      category: 'Sports',
      level: 'Beginner',
      chapters: [
        {
          title: 'Weeks 1 to 3',
          lessons: [
            {
              title: 'The talking test',
              text: `Say a whole sentence aloud while you run. If you have to breathe in the middle, you are too fast. Walk until you could sing, then jog again. Nobody is looking, and if they are, they are impressed.`,
            },
            {
              title: 'One minute, two minutes',
              text: `One minute of jogging, two of walking, eight times. Three days a week with a day between them. Lungs learn in weeks, tendons in months: the walking is for the tendons.`,
            },
          ],
        },
        {
          title: 'Weeks 4 to 9',
          lessons: [
            {
              title: 'When something hurts',
              text: `Both sides and dull: it is training. One side and sharp: it is information. Rest two days, go back one week in the plan, and see someone if it is there again.`,
            },
            {
              title: 'The last walk break',
              text: `In week seven the breaks disappear one by one. Shorten your steps instead of stopping. It should sound quiet: loud feet are tired feet.`,
            },
            {
              title: 'Thirty minutes',
              text: `Choose a flat round that ends at a bakery. Start so slowly that it embarrasses you. Five kilometres or four, it does not matter: you ran for half an hour.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Sleep, Repaired',
      shortDescription:
        'Two weeks, one notebook, and the few things that research says really help.',
      description: `No gadgets and no teas. You will keep a sleep diary, fix the hour at which you get up, and learn what to do at three in the morning. It borrows from the method that doctors recommend first for insomnia.

It does not replace treatment: loud snoring with pauses, or months without rest, belong to a doctor.`,
      category: 'Wellness',
      level: 'Beginner',
      chapters: [
        {
          title: 'Week 1: look',
          lessons: [
            {
              title: 'A diary of six numbers',
              text: `To bed, asleep, times awake, up, naps, coffee. Guess: looking at the clock is part of the problem. After seven days you will see a pattern that you did not expect.`,
            },
            {
              title: 'Get up at the same time',
              text: `Of all the rules this one does most. Also on Sunday, also after a bad night. Tiredness builds up over the day like hunger, and you want to be hungry at eleven.`,
            },
          ],
        },
        {
          title: 'Week 2: change',
          lessons: [
            {
              title: 'The bed is for sleep',
              text: `Awake for what feels like twenty minutes? Get up, sit somewhere dim, read something kind. Go back when your eyes close. The bed learns what it is for.`,
            },
            {
              title: 'Three in the morning',
              text: `Thoughts at three are never right, only loud. Keep paper there, write down the one thing, and let tomorrow have it.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Stretch at Your Desk',
      shortDescription:
        'Six movements, four minutes, twice a day, in clothes that you can wear to a meeting.',
      description: `Nobody sits wrongly for an hour. We sit still for eight. These six movements reach the places that complain, and come with a reminder that you will not switch off.`,
      category: 'Wellness',
      level: 'Beginner',
      chapters: [
        {
          title: 'The six',
          lessons: [
            {
              title: 'Neck and shoulders',
              text: `Let the head sink to the left and reach for the floor with the right hand. Three breaths. Then shoulders up to the ears, hold, and drop them. Twice each side.`,
            },
            {
              title: 'Back and hips',
              text: `Sit on the edge, cross one ankle over the other knee, lean forward with a long back until you feel it behind. Then hold the backrest and turn, from the navel and not from the neck.`,
            },
            {
              title: 'Wrists and eyes',
              text: `Arm out, fingers up, other hand pulls gently. Then look at the furthest thing you can see for twenty seconds. Your eyes have been doing a plank since nine.`,
            },
          ],
        },
        {
          title: 'Make it stick',
          lessons: [
            {
              title: 'Tie it to the kettle',
              text: `Alarms are easy to swipe away. Water takes four minutes to boil. Do the six while it does, and you have done it twice a day without deciding anything.`,
            },
          ],
        },
      ],
    },
    {
      title: 'The Mathematics of Sports Betting',
      shortDescription: 'Odds, margins and variance: why the house wins, shown with a pencil.',
      description: `Not a system. The opposite of one. You will turn odds into probabilities, find the bookmaker's margin, and simulate a season to see what luck looks like. Most people bet less afterwards, and all of them understand what they pay for.

If betting has stopped being fun, skip to the last lesson first.`,
      category: 'Sports Betting',
      level: 'Intermediate',
      chapters: [
        {
          title: 'Numbers',
          lessons: [
            {
              title: 'Odds are probabilities in disguise',
              text: `One divided by the odds is the chance that the price implies. 2.00 is a half, 4.00 a quarter. Do it for all three results of a match and add them up. It is more than one.`,
            },
            {
              title: 'The margin',
              text: `What is above one is what you pay to play: often five to eight percent of each stake, more on long shots. It does not show on any single evening, and it always shows on a hundred of them.`,
            },
            {
              title: 'What luck looks like',
              text: `Flip a coin two hundred times and draw your balance. You will see streaks that look like skill. Now do it with a coin that lands wrong in 53 of 100. For weeks you cannot tell the two apart.`,
            },
          ],
        },
        {
          title: 'You',
          lessons: [
            {
              title: 'Limits that hold, and where to get help',
              text: `Set a limit with the provider and not with yourself, for the month and not for the day. If you hide it, chase losses or borrow, that is not a budget problem. Talk to somebody today. It is free and confidential.`,
              links: [
                {
                  title: 'Gambling Therapy',
                  url: 'https://www.gamblingtherapy.org/',
                  description: 'Free support online, in many languages.',
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}
