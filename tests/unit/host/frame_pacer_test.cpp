#include "host/frame_pacer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kvseats::host {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Draws as long as the pacer wants to, every frame asking for nothing; the number of frames.
int settle(FramePacer& pacer, double now_s) {
  int frames = 0;
  while (pacer.next(now_s).kind == Pace::kDraw && frames < 100) {
    pacer.drew(now_s, kNever);
    ++frames;
  }
  return frames;
}

FramePacer shown() {
  FramePacer pacer;
  pacer.set_visible(true);
  return pacer;
}

TEST(FramePacer, DrawsNothingBeforeItIsSeen) {
  FramePacer pacer;
  EXPECT_EQ(pacer.next(0).kind, Pace::kSleep);
  pacer.notify();
  EXPECT_EQ(pacer.next(1).kind, Pace::kSleep);
}

TEST(FramePacer, TheFirstPictureSettlesAndThenItSleepsForEver) {
  FramePacer pacer = shown();
  EXPECT_EQ(settle(pacer, 0), FramePacer::kSettleFrames);
  EXPECT_EQ(pacer.next(0), (NextFrame{.kind = Pace::kSleep}));
  EXPECT_EQ(pacer.next(1e9).kind, Pace::kSleep);
  EXPECT_EQ(pacer.frames(), 3U);
}

TEST(FramePacer, AnEventIsWorthThreeFrames) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.notify();
  EXPECT_EQ(settle(pacer, 5), 3);
}

TEST(FramePacer, EventsOfOneMomentShareTheirFrames) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  for (int i = 0; i < 50; ++i) pacer.notify();
  EXPECT_EQ(settle(pacer, 5), 3);
}

TEST(FramePacer, AnEventBetweenFramesStartsTheCountAnew) {
  FramePacer pacer = shown();
  pacer.drew(0, kNever);
  pacer.drew(0, kNever);
  pacer.notify();
  EXPECT_EQ(settle(pacer, 0), 3);
}

TEST(FramePacer, WhatWasOnlyLaidOutIsAlwaysDrawnInTheEnd) {
  FramePacer pacer = shown();
  for (int i = 0; i < 5; ++i) pacer.laid_out();
  EXPECT_EQ(pacer.frames(), 0U);
  EXPECT_EQ(settle(pacer, 0), 1);
}

TEST(FramePacer, AWishIsWaitedForAndIsWorthOneFrame) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.notify();
  pacer.drew(10, kNever);
  pacer.drew(10, kNever);
  pacer.drew(10, 0.5);
  EXPECT_EQ(pacer.next(10), (NextFrame{.kind = Pace::kWait, .at_s = 10.5}));
  EXPECT_EQ(pacer.next(10.4).kind, Pace::kWait);
  EXPECT_EQ(pacer.next(10.5).kind, Pace::kDraw);
  EXPECT_EQ(settle(pacer, 10.5), 1);
  EXPECT_EQ(pacer.next(11).kind, Pace::kSleep);
}

TEST(FramePacer, ATimerThatFiresALittleEarlyStillDraws) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.drew(0, 1);
  EXPECT_EQ(pacer.next(1 - FramePacer::kEarly_s).kind, Pace::kDraw);
  EXPECT_EQ(pacer.next(1 - 2 * FramePacer::kEarly_s).kind, Pace::kWait);
}

TEST(FramePacer, AnAnimationDrawsFrameAfterFrameAndEndsByItself) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.notify();
  int frames = 0;
  for (double now = 1; pacer.next(now).kind == Pace::kDraw && frames < 1000; now += 0.016) {
    pacer.drew(now, now < 1.2 ? 0 : kNever);  // 200 ms of motion
    ++frames;
  }
  EXPECT_GE(frames, 12);
  EXPECT_LE(frames, 16);
  EXPECT_EQ(pacer.next(100).kind, Pace::kSleep);
}

TEST(FramePacer, TheLatestFrameSpeaksForTheWholeState) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.drew(0, 0.5);
  pacer.notify();
  settle(pacer, 0.1);  // these ask for nothing, so the blink is over
  EXPECT_EQ(pacer.next(0.1).kind, Pace::kSleep);
}

TEST(FramePacer, HiddenItNeitherDrawsNorWaits) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.drew(0, 0.5);
  pacer.notify();
  pacer.set_visible(false);
  EXPECT_EQ(pacer.next(0.1).kind, Pace::kSleep);
  EXPECT_EQ(pacer.next(10).kind, Pace::kSleep);
}

TEST(FramePacer, ShownAgainItDrawsOnceOverAndMakesUpForNothing) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.set_visible(false);
  for (int i = 0; i < 100; ++i) pacer.notify();
  pacer.set_visible(true);
  EXPECT_EQ(settle(pacer, 60), 3);
}

TEST(FramePacer, BeingShownTwiceIsNoEvent) {
  FramePacer pacer = shown();
  settle(pacer, 0);
  pacer.set_visible(true);
  EXPECT_EQ(pacer.next(1).kind, Pace::kSleep);
}

TEST(FramePacer, WishesThatAreNoTimesAreHarmless) {
  const struct {
    double wish_s;
    Pace expected;
    const char* why;
  } cases[] = {
      {std::nan(""), Pace::kSleep, "not a number is never"},
      {-5, Pace::kDraw, "the past is now"},
      {-kNever, Pace::kDraw, "the far past is now"},
      {kNever, Pace::kSleep, "infinity is never"},
      {0, Pace::kDraw, "zero is the next frame"},
  };
  for (const auto& c : cases) {
    FramePacer pacer = shown();
    settle(pacer, 0);
    pacer.drew(7, c.wish_s);
    EXPECT_EQ(pacer.next(7).kind, c.expected) << c.why;
  }
}

TEST(FramePacer, AskingChangesNothing) {
  FramePacer pacer = shown();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(pacer.next(0).kind, Pace::kDraw);
  EXPECT_EQ(settle(pacer, 0), 3);
}

TEST(FramePacer, SettledMeansOnlyWaitingIsLeft) {
  FramePacer pacer = shown();
  EXPECT_FALSE(pacer.settled(0));
  settle(pacer, 0);
  EXPECT_TRUE(pacer.settled(0));
  pacer.drew(0, 3);
  EXPECT_TRUE(pacer.settled(1));
  EXPECT_FALSE(pacer.settled(3));
}

}  // namespace
}  // namespace kvseats::host
