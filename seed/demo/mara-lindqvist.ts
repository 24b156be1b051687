import type { DemoCreator } from './demo-shape.ts'

export const maraLindqvist: DemoCreator = {
  name: 'Mara Lindqvist',
  bio: 'Baker for eleven years, teacher for six. I write recipes that survive a working week.',
  verified: true,
  courses: [
    {
      title: 'Sourdough for Busy Weeks',
      shortDescription:
        'One starter, one dough and a timetable that fits around a job: a good loaf every Saturday.',
      description: `Most sourdough advice assumes that you are at home all day. This course assumes that you are not. You will keep a starter alive on five minutes a week, mix on Thursday night, and bake on Saturday morning.

You need a kitchen scale, a pot with a lid that may go into the oven, and flour. No machine, no special basket.`,
      category: 'Cooking',
      level: 'Beginner',
      chapters: [
        {
          title: 'The starter',
          lessons: [
            {
              title: 'Begin a starter on a Sunday',
              text: `Stir 50 g of whole-grain flour into 50 g of lukewarm water, cover it loosely and leave it on top of the fridge. Each day, throw away all but a spoonful and feed it again.

By the fifth day it should double within eight hours and smell of yoghurt. If it smells of nail varnish it is hungry, not dead: feed it twice that day.`,
            },
            {
              title: 'Keep it alive on five minutes a week',
              text: `A starter in the fridge sleeps. Feed it on the evening before you bake, let it rise, take what you need, and put a spoonful back with fresh flour and water.

- Missed a week? Nothing happens.
- Missed two months? Pour off the grey liquid and feed it twice.
- Pink or orange streaks? That is the one case for the bin.`,
            },
          ],
        },
        {
          title: 'The loaf',
          lessons: [
            {
              title: 'Mix on Thursday night',
              text: `Weigh 400 g of bread flour, 100 g of whole-grain flour, 350 g of water, 100 g of lively starter and 10 g of salt. Mix until no dry flour is left, rest for half an hour, then stretch the dough over itself four times.

Do that once more before bed and put the bowl into the fridge. The cold does the kneading for you.`,
            },
            {
              title: 'Shape without flour everywhere',
              text: `Wet hands stick less than floured ones. Turn the dough out, fold the left third over, then the right, and roll it up from the end nearest to you. Drag the roll a hand's width towards you so that its skin tightens.

It goes seam up into a bowl lined with a floured towel, and back into the fridge until Saturday.`,
            },
            {
              title: 'Bake in a pot',
              text: `Heat the empty pot at 240 °C for half an hour. Tip the loaf in, cut it once along its length, and bake it for 25 minutes with the lid on and 20 without.

Wait an hour before you slice. The crumb is still setting, and this is the hardest step of the course.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Knife Skills in an Afternoon',
      shortDescription:
        'Hold it, sharpen it, and cut an onion in forty seconds without looking brave.',
      description: `A sharp knife and three cuts make cooking faster than any gadget. In one afternoon you will learn the grip that cooks use, the claw that keeps fingertips where they are, and how to bring back an edge.

Bring one chef's knife, a board that does not slide, and two kilos of onions and carrots. Soup is included.`,
      category: 'Cooking',
      level: 'Beginner',
      chapters: [
        {
          title: 'Before you cut',
          lessons: [
            {
              title: 'Stop the board, then hold the knife',
              text: `Put a damp cloth under the board and try to push it. It should not move at all.

Now pinch the blade just in front of the handle between thumb and forefinger, and let the other three fingers close around the handle. It feels wrong for ten minutes and right for the rest of your life.`,
            },
            {
              title: 'Sharpen on a stone',
              text: `Soak the stone until no bubbles rise. Lay the blade flat, lift its back by two coins, and draw it across as if you were shaving a thin slice off the stone. Ten strokes each side, then ten lighter ones.

The test is a tomato: it should open under the weight of the knife alone.`,
            },
          ],
        },
        {
          title: 'Three cuts',
          lessons: [
            {
              title: 'The claw and the slice',
              text: `Curl the fingers of your other hand so that the knuckles lean against the blade. The knife can only go where the knuckles let it.

Slice by rocking forward and down, never straight down. Do one carrot slowly. Then do six more, still slowly. Speed comes by itself.`,
            },
            {
              title: 'Dice an onion',
              text: `Halve it through the root, peel it, and leave the root on: it holds everything together. Cut towards the root without reaching it, once flat and then from the top, and finally across.

If you cry, your knife is dull. A sharp one breaks fewer cells.`,
            },
            {
              title: 'Herbs without bruises',
              text: `Dry them well. Roll soft leaves into a tight cigar and slice once. Going over them again and again turns basil black and leaves the taste on the board.`,
            },
          ],
        },
      ],
    },
    {
      title: 'One Pot, Five Dinners',
      shortDescription:
        'A weekly plan for two people: one list, one pot, and nothing left over on Friday.',
      description: `Five dinners that lend each other their ingredients. You shop once, wash up one pot a night, and use the whole bunch of parsley.

Every lesson is one dinner with its times, and says what to set aside for the next.`,
      category: 'Cooking',
      level: 'Intermediate',
      chapters: [
        {
          title: 'Plan',
          lessons: [
            {
              title: 'One list for the week',
              text: `Two kilos of vegetables that keep, one chicken, a bag of beans, rice, yoghurt, lemons, a bunch of parsley. Everything else is in your cupboard or is not needed.

Soak the beans tonight. That is the only work on Sunday.`,
            },
          ],
        },
        {
          title: 'Cook',
          lessons: [
            {
              title: 'Monday: chicken on a bed of roots',
              text: `Roots below, chicken above, lemon inside, 80 minutes at 190 °C. Eat the legs. The rest comes off the bone now, while it is warm, and the bones go into a pot of water until you go to bed.`,
            },
            {
              title: 'Tuesday: the broth pays you back',
              text: `Yesterday's broth, a handful of rice, the last of the carrots. Stir an egg with lemon juice, thin it with hot broth, and pour it back off the heat. It turns silky and never needs cream.`,
            },
            {
              title: 'Thursday: beans that taste of something',
              text: `Salt the soaking water, not only the cooking water. Simmer them with an onion cut in half, a bay leaf and more oil than seems decent, until one crushed against the roof of your mouth is all cream.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Preserving a Summer',
      shortDescription: 'Jam that sets, pickles that snap, and how to know that both are safe.',
      description: `When the market is cheap, you should be ready. Learn the three ways that need no special equipment (sugar, salt and vinegar), what each of them protects against, and the few rules that are not negotiable.`,
      category: 'Cooking',
      level: 'Intermediate',
      chapters: [
        {
          title: 'The rules',
          lessons: [
            {
              title: 'What you are fighting, and what stops it',
              text: `Moulds need air, yeasts need sugar they can reach, and the one bacterium to be afraid of needs a low-acid place without air. Enough acid, enough salt or enough sugar closes the door. This course stays where the door is closed.`,
              links: [
                {
                  title: 'National Center for Home Food Preservation',
                  url: 'https://nchfp.uga.edu/',
                  description: 'Tested recipes and times; check yours against them.',
                },
              ],
            },
          ],
        },
        {
          title: 'Three jars',
          lessons: [
            {
              title: 'Jam that sets',
              text: `Equal weights of strawberries and sugar, left together overnight, boil faster and keep their shape. Put a saucer in the freezer. A drop of jam on it should wrinkle when you push it after a minute.`,
            },
            {
              title: 'Cucumbers that snap',
              text: `Cut off the blossom end: an enzyme there makes pickles soft. Brine of 35 g of salt in a litre of water, garlic, dill, a vine or oak leaf, and everything under the surface for a week.`,
            },
            {
              title: 'Tomatoes for January',
              text: `Add two spoons of lemon juice to each half-litre jar, every time, however sour your tomatoes taste. Then the water bath does the rest in 35 minutes.`,
            },
          ],
        },
      ],
    },
  ],
}
