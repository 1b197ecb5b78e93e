// What libraries do once per process, at the first use of something, would make the first execution differ from all
// others.
#pragma once

namespace weft {

/// Has it done before the first execution. Only outside of executions; the second call does nothing.
void warm_up_libraries();

}  // namespace weft
