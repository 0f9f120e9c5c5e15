#include <gtest/gtest.h>

#include <map>

#include "experiments.h"
#include "traffic/simulation.h"

// What holds after every step of any traffic on any deployment.
namespace kvseats::traffic {
namespace {

using testing::random_experiment;

void expect_conserved(const Pool& pool) {
  ASSERT_LE(pool.used(), pool.capacity());
  std::map<Owner, std::uint64_t> counted;
  for (const Owner owner : pool.owners()) ++counted[owner];
  ASSERT_EQ(counted[kNobody], pool.left());
  counted.erase(kNobody);
  for (const auto& [owner, units] : counted) ASSERT_EQ(units, pool.held_by(owner));
}

// Blocks belong to those who run, and to the shared prefix while somebody has it.
void expect_owned_by_running(const Simulation& simulation) {
  for (const Pool& pool : simulation.pools()) {
    std::uint64_t sum = pool.held_by(kShared);
    for (const std::uint32_t slot : simulation.running()) sum += pool.held_by(slot + 1);
    ASSERT_EQ(sum, pool.used());
    for (const std::uint32_t slot : simulation.waiting()) ASSERT_EQ(pool.held_by(slot + 1), 0u);
  }
}

void expect_enough(const Simulation& simulation) {
  const Experiment& setup = simulation.setup();
  for (const std::uint32_t slot : simulation.running()) {
    const Live& request = simulation.live(slot);
    for (std::size_t i = 0; i < setup.ranks.size(); ++i) {
      if (setup.ranks[i].shared_cells != 0) continue;
      const std::uint64_t prefix = request.shares ? setup.prefix : 0;
      ASSERT_GE(simulation.pools()[i].held_by(slot + 1),
                setup.ranks[i].cost.at(request.length, prefix));
    }
  }
}

void expect_nobody_lost(const Simulation& simulation) {
  const Totals& t = simulation.totals();
  ASSERT_EQ(t.arrived,
            t.finished + t.refused + simulation.running().size() + simulation.waiting().size());
}

TEST(SimulationProperties, HoldAfterEveryStep) {
  std::uint64_t preemptions = 0;
  std::uint64_t finished = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Simulation simulation(random_experiment(seed));
    for (int i = 0; i < 600 && !simulation.step(1); ++i) {
      for (const Pool& pool : simulation.pools()) expect_conserved(pool);
      expect_owned_by_running(simulation);
      expect_enough(simulation);
      expect_nobody_lost(simulation);
      if (::testing::Test::HasFatalFailure()) return;
    }
    preemptions += simulation.totals().preemptions;
    finished += simulation.totals().finished;
  }
  EXPECT_GT(preemptions, 100u) << "the pools were never full";
  EXPECT_GT(finished, 1000u);
}

TEST(SimulationProperties, EverybodyPresentIsAnsweredInTheEnd) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Experiment setup = random_experiment(seed);
    for (Stream& stream : setup.streams) stream.gap_ns = stream.people = 0;
    setup.horizon_ns = UINT64_MAX - 1;
    setup.sample_ns = UINT64_MAX - 2;
    Simulation simulation(setup);
    ASSERT_TRUE(simulation.step(1000000)) << seed;
    EXPECT_EQ(simulation.totals().arrived,
              simulation.totals().finished + simulation.totals().refused)
        << seed;
    for (const Pool& pool : simulation.pools()) EXPECT_EQ(pool.used(), 0u) << seed;
  }
}

TEST(SimulationProperties, PagedAdmitsAtLeastAsManyAsReserved) {
  int more = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Experiment setup = random_experiment(seed);
    for (Stream& stream : setup.streams) {
      stream.gap_ns = stream.people = 0;
      stream.at_start = 40;
    }
    setup.batched = 1 << 20;  // all present together may begin together
    setup.reserved = true;
    Simulation reserved(setup);
    setup.reserved = false;
    Simulation paged(setup);
    (void)reserved.step(1);
    (void)paged.step(1);
    const std::uint64_t of_paged = paged.running().size() + paged.totals().finished;
    const std::uint64_t of_reserved = reserved.running().size() + reserved.totals().finished;
    EXPECT_GE(of_paged, of_reserved) << seed;
    more += of_paged > of_reserved;
  }
  EXPECT_GT(more, 50);
}

}  // namespace
}  // namespace kvseats::traffic
