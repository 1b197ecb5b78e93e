// Schedule tokens: what is written is read back, and what is no token says why.
#include "explore/schedule_token.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace {

using weft::OperationKind;
using weft::ScheduleToken;
using weft::ThreadId;

ScheduleToken example() {
  ScheduleToken token;
  token.scenario_hash = 0xbeef;
  token.schedule.operations_hash = 0x0123;
  token.schedule.steps = {{ThreadId{0}, OperationKind::create, 0}, {ThreadId{1}, OperationKind::read, 2},
                          {ThreadId{1}, OperationKind::write, 1},  {ThreadId{2}, OperationKind::choose, 7},
                          {ThreadId{12}, OperationKind::rmw, 0},   {ThreadId{12}, OperationKind::rmw, 0},
                          {ThreadId{12}, OperationKind::rmw, 0},   {ThreadId{12}, OperationKind::rmw, 0},
                          {ThreadId{12}, OperationKind::rmw, 0},   {ThreadId{0}, OperationKind::join, 0}};
  token.learned = {{.kind = weft::Learned::Kind::promoted,
                    .address = {.base = weft::PortableAddress::Base::thread, .thread = 3, .offset = 0x1f0},
                    .size = 4},
                   {.kind = weft::Learned::Kind::promoted,
                    .address = {.base = weft::PortableAddress::Base::thread, .thread = 0, .offset = 0xffffe000},
                    .size = 8,
                    .frame = 0x20,
                    .called_from = 0x1234},
                   {.kind = weft::Learned::Kind::spinning_read, .address = {.offset = 0xabc}}};
  return token;
}

TEST(ScheduleToken, IsAShortWord) {
  EXPECT_EQ(to_string(example()), "w1:beef0123:0n,1r2w1,2c7,12u*5,0j:p@3.1f0.4,p@0.ffffe000.8.20.1234,sabc");
}

TEST(ScheduleToken, IsReadBackAsItWas) {
  const ScheduleToken read = weft::parse_schedule_token("  " + to_string(example()) + "\n");
  EXPECT_EQ(read.scenario_hash, 0xbeef);
  EXPECT_EQ(read.schedule.operations_hash, 0x0123);
  EXPECT_EQ(read.schedule.steps, example().schedule.steps);
  EXPECT_EQ(read.learned, example().learned);
}

std::string problem_of(const std::string& text) {
  try {
    weft::parse_schedule_token(text);
    return "";
  } catch (const weft::MalformedToken& malformed) {
    return malformed.what();
  }
}

TEST(ScheduleToken, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem_of(" "), "malformed schedule token: it is empty");
  EXPECT_EQ(problem_of("w2:beef0123:0n"), "malformed schedule token: it begins with `w2', this program reads `w1:'");
  EXPECT_EQ(problem_of("w1:beef:0n"),
            "malformed schedule token: expected a hash of eight hexadecimal digits at character 8");
  EXPECT_EQ(problem_of("w1:beef0123:0q"),
            "malformed schedule token: expected the letter of an operation at character 14");
  EXPECT_EQ(problem_of("w1:beef0123:0n*4294967295"),
            "malformed schedule token: a repetition is out of range at character 26");
  EXPECT_EQ(problem_of("w1:beef0123:0n:x1"), "malformed schedule token: expected `p', `s', `m' or `w' at character 16");
}

TEST(ScheduleToken, SurvivesAnyDamage) {
  std::mt19937 random(20261130);
  const std::string whole = to_string(example());
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = whole;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          damaged.erase(at, 1);
          break;
        default:
          damaged.insert(at, 1, "0123456789rwu*:,@.ps"[random() % 20]);
          break;
      }
    }
    if (problem_of(damaged).empty()) ++accepted;  // another token, but a token
  }
  EXPECT_LT(accepted, 20'000);
}

}  // namespace
