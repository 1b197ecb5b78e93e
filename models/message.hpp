#pragma once
namespace js { struct Message {}; }
